"""Where clients live and bank: real cities, PIN areas and bank codes; invented streets, house numbers and accounts."""

from countinghouse.banks.directory import directory
from countinghouse.demo.numbers import Traits


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


# A city and the first three digits of its PIN codes.
_CITIES = tuple(
    (entry[:-4], entry[-3:])
    for entry in _listed(
        "Mumbai 400,Pune 411,Nagpur 440,Nashik 422,Thane 400,Kolhapur 416,New Delhi 110,Noida 201,Gurugram 122,"
        "Faridabad 121,Bengaluru 560,Mysuru 570,Mangaluru 575,Hubballi 580,Chennai 600,Coimbatore 641,Madurai 625,"
        "Tiruchirappalli 620,Salem 636,Tirunelveli 627,Kochi 682,Thiruvananthapuram 695,Kozhikode 673,Thrissur 680,"
        "Hyderabad 500,Warangal 506,Vijayawada 520,Visakhapatnam 530,Guntur 522,Tirupati 517,Kolkata 700,Howrah 711,"
        "Siliguri 734,Bhubaneswar 751,Cuttack 753,Guwahati 781,Patna 800,Ranchi 834,Jamshedpur 831,Lucknow 226,"
        "Kanpur 208,Varanasi 221,Agra 282,Dehradun 248,Jaipur 302,Jodhpur 342,Udaipur 313,Kota 324,Ahmedabad 380,"
        "Surat 395,Vadodara 390,Rajkot 360,Bhopal 462,Indore 452,Gwalior 474,Raipur 492,Chandigarh 160,Ludhiana 141,"
        "Amritsar 143,Jalandhar 144,Shimla 171,Panaji 403,Puducherry 605"
    )
)
_STREETS = _listed(
    "MG Road,Gandhi Road,Station Road,Temple Street,Nehru Street,Lake View Road,Park Street,Church Road,Market Road,"
    "College Road,Hospital Road,Mill Road,1st Main,2nd Cross,3rd Cross,4th Main,5th Cross,Canal Road,Fort Road,"
    "Old Post Office Lane,Subhash Marg,Tilak Path,Ring Road,Airport Road,Bazaar Street,Car Street,Tank Bund Road,"
    "School Lane,River View Lane,Kamaraj Salai"
)
_LOCALITIES = _listed(
    "Gandhi Nagar,Shanti Nagar,Model Town,Sector 9,Sector 21,Civil Lines,Rajaji Nagar,Anna Nagar,Shivaji Nagar,"
    "Indira Colony,Laxmi Nagar,Vasant Vihar,Ashok Nagar,Jawahar Nagar,Green Park,Saraswati Puram,Krishna Nagar,"
    "Ram Nagar,Patel Colony,Railway Colony,Bank Colony,Teachers Colony,Vidya Nagar,Kasturba Nagar,Sai Nagar,"
    "Old Town,East Extension,West Extension,Hill Top,Lake Town"
)
_HOMES = _listed(
    "Sai Krupa Apartments,Shree Residency,Ganga Towers,Lotus Enclave,Silver Oaks,Palm Grove,Sunrise Heights,"
    "Royal Residency,Lakshmi Nivas,Sree Padmam,Emerald Court,Golden Nest"
)
# A bank's code and the number of digits of its accounts.
_BANKS = tuple(
    (entry[:4], int(entry[4:]))
    for entry in _listed(
        "SBIN11,SBIN17,HDFC14,ICIC12,UTIB15,KKBK10,PUNB16,BARB14,CNRB13,UBIN15,IOBA15,IDIB9,IDIB10,FDRL14,YESB15,"
        "INDB12,IDFB11,BKID15,CBIN10,MAHB11,UCBA14,SIBL16,KVBL16,CIUB15,KARB16,PSIB14,AUBL16,RATN12,DBSS12,JAKA16,"
        "TMBL15,DLXB18"
    )
)
# Codes of banks that have merged into another; clients still use them.
_WITHDRAWN_CODES = _listed("SYNB0003000,ALLA0210001,CORP0000123,ORBC0100123,ANDB0000123,VIJB0001234,LAVB0000123")
# One client in this many has each kind of oddity. It depends on the client's number, so that even a small demo has them
# all, and does not start with the first clients, who claim most.
_ONE_IN = 140
_FIRST_ODD = 40


def make_address(traits: Traits) -> str:
    city, area = _CITIES[traits.below(len(_CITIES))]
    street = _STREETS[traits.below(len(_STREETS))]
    locality = _LOCALITIES[traits.below(len(_LOCALITIES))]
    return f"{_house_number(traits)}, {street}, {locality}, {city} {area}{1 + traits.below(98):03d}"


def _house_number(traits: Traits) -> str:
    number = 1 + traits.below(240)
    match traits.below(6):
        case 0:
            home = _HOMES[traits.below(len(_HOMES))]
            return f"Flat {1 + traits.below(14)}{1 + traits.below(6):02d}, {home}"
        case 1:
            return f"H.No. {1 + number % 16}-{1 + traits.below(9)}-{number}"
        case 2:
            return f"Plot {number}"
        case 3:
            return f"No. {number}/{1 + traits.below(12)}"
        case 4:
            return f"Door No. {number}{'ABCD'[traits.below(4)]}"
        case _:
            return str(number)


def make_account(traits: Traits, client: int) -> tuple[str, str]:
    """Account number and IFSC of the same bank; a few are mistyped, as hasty clients do."""
    bank, length = _BANKS[traits.below(len(_BANKS))]
    # Some banks pad with zeros, which many programs lose when they read the number.
    digits = length - 3 if traits.below(5) == 0 else length
    smallest = 10 ** (digits - 1)
    account_no = f"{smallest + traits.below(9 * smallest):0{length}d}"
    ifsc = _branch(traits, bank)
    match (client - _FIRST_ODD) % _ONE_IN:
        case 0:
            return account_no, _WITHDRAWN_CODES[traits.below(len(_WITHDRAWN_CODES))]
        case 1:
            return account_no, f"{bank}O{ifsc[5:]}"
        case 2:
            return account_no, ifsc.lower()
        case 3:
            return "1234567890123456"[:length], ifsc
    return account_no, ifsc


def _branch(traits: Traits, bank: str) -> str:
    """Some branches have many more clients than others."""
    count = directory().count_of(bank)
    return directory().code_at(bank, traits.below(count) * traits.below(count) // count)
