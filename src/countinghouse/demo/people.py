"""Made-up clients. Cities, PIN areas and bank codes are real; people, streets, house numbers and accounts are not."""

from collections.abc import Iterator
from random import Random

from countinghouse.banks.directory import directory
from countinghouse.core.db.bulk import Cells
from countinghouse.core.times import stored_text
from countinghouse.demo.clock import Timeline

# A line of first names and a line of last names for each region, so that both sound right together.
_NAMES = """\
Ananya Karthik Lakshmi Senthil Meenakshi Arvind Kavitha Murugan Deepika Vignesh Revathi Prabhu Nandini Bala Gayathri
Iyer Iyengar Subramanian Natarajan Krishnan Raman Venkatesan Chandrasekaran Sundaram Mudaliar Chettiar Ganesan Selvam
Anjali Vishnu Sreelakshmi Rahul Aswathy Jithin Parvathy Manoj Athira Sandeep Reshma Vinod Gopika Unni Thomas Mariam
Nair Menon Kurup Varma Panicker Warrier Namboothiri Thampi Kurian Varghese Mathew Chacko George Philip Joseph
Sai Swathi Srinivas Padma Ramesh Sravani Naveen Lavanya Mahesh Keerthi Raghavendra Shilpa Manjunath Pooja Basavaraj
Reddy Rao Naidu Chowdary Raju Prasad Gowda Shetty Hegde Bhat Kulkarni Patil Murthy Acharya Kamath
Aarav Sneha Omkar Pallavi Sachin Manasi Tejas Rutuja Amol Swapnil Ketaki Nilesh Hetal Jignesh Dhruvi Chirag Krupa
Deshmukh Joshi Pawar Jadhav Shinde Gaikwad Bhosale Kale Apte Patel Shah Mehta Desai Trivedi Parmar Solanki
Aniket Sharmistha Sourav Moumita Debashis Ritwika Partha Sudeshna Arindam Tanushree Biswajit Madhumita Subhashree
Mukherjee Banerjee Chatterjee Ghosh Bose Sengupta Das Dutta Chakraborty Bhattacharya Mohanty Mishra Pattnaik Borah
Harpreet Gurpreet Manpreet Simran Jaspreet Rajinder Navjot Baljit Kirandeep Sukhwinder Amandeep Ravinder Parminder
Singh Kaur Gill Sidhu Dhillon Sandhu Bajwa Grewal Malhotra Kapoor Khanna Chopra Bhatia Arora Hooda
Rajesh Sunita Amit Priya Sanjay Rekha Vivek Shweta Alok Nidhi Manish Kiran Abhishek Preeti Saurabh Aditi Rakesh Seema
Sharma Verma Gupta Agarwal Tiwari Pandey Yadav Srivastava Dubey Chauhan Rathore Saxena Kumar Jha Sinha Thakur
Imran Ayesha Farhan Zainab Salman Nazia Irfan Shabana Aamir Rukhsar Faizan Sana Javed Mehjabeen Arshad Tabassum Asif
Khan Ansari Shaikh Qureshi Siddiqui Pathan Sayyed Mirza Hussain Ali Farooqui Kazi Memon
"""
_REGIONS = list(zip(*([line.split() for line in _NAMES.splitlines()[first::2]] for first in (0, 1)), strict=True))
# By the client's number, so that even a small demo has them: long enough to break a careless column, or in Devanagari.
_UNUSUAL_NAMES = {
    41: "Thiruvengadathan Venkata Subramanian Raghunathan",
    77: "सुनीता शर्मा",
    138: "Sri Venkata Satyanarayana Lakshmi Narasimha Rao K. V. S.",
    208: "ज्योत्स्ना देशपांडे",
    235: "P. V. S. S. Naga Venkata Durga Prasada Rao Chowdary",
}


def _listed(text: str) -> list[str]:
    return text.split(",")


# A city and the first three digits of its PIN codes.
_CITIES = _listed(
    "Mumbai 400,Pune 411,Nagpur 440,Nashik 422,New Delhi 110,Noida 201,Gurugram 122,Bengaluru 560,Mysuru 570,"
    "Hubballi 580,Chennai 600,Coimbatore 641,Madurai 625,Tiruchirappalli 620,Kochi 682,Thiruvananthapuram 695,"
    "Hyderabad 500,Warangal 506,Vijayawada 520,Visakhapatnam 530,Kolkata 700,Siliguri 734,Bhubaneswar 751,Guwahati 781,"
    "Patna 800,Ranchi 834,Lucknow 226,Kanpur 208,Varanasi 221,Dehradun 248,Jaipur 302,Jodhpur 342,Ahmedabad 380,"
    "Surat 395,Bhopal 462,Indore 452,Raipur 492,Chandigarh 160,Ludhiana 141,Amritsar 143,Shimla 171,Panaji 403"
)
_HOUSES = _listed("No. {}/3,Plot {},Door No. {}B,H.No. 8-2-{},Flat {},Lotus Enclave {},Ganga Towers {}")
_STREETS = _listed(
    "MG Road,Gandhi Road,Station Road,Temple Street,Nehru Street,Lake View Road,Park Street,Church Road,Market Road,"
    "College Road,1st Main,2nd Cross,4th Main,Old Post Office Lane,Subhash Marg,Tilak Path,Car Street,Tank Bund Road"
)
_LOCALITIES = _listed(
    "Gandhi Nagar,Shanti Nagar,Model Town,Sector 9,Sector 21,Civil Lines,Rajaji Nagar,Anna Nagar,Shivaji Nagar,"
    "Indira Colony,Vasant Vihar,Green Park,Saraswati Puram,Patel Colony,Railway Colony,Old Town,East Extension,Hill Top"
)
# A bank's code and the number of digits of its accounts.
_BANKS = _listed(
    "SBIN11,SBIN17,HDFC14,ICIC12,UTIB15,KKBK10,PUNB16,BARB14,CNRB13,UBIN15,IOBA15,IDIB9,IDIB10,FDRL14,YESB15,INDB12,"
    "IDFB11,BKID15,CBIN10,MAHB11,UCBA14,SIBL16,KVBL16,CIUB15,KARB16,PSIB14,AUBL16,RATN12,DBSS12,JAKA16,TMBL15,DLXB18"
)
# Codes of banks that have merged into another; clients still use them.
_WITHDRAWN_CODES = _listed("SYNB0003000,ALLA0210001,CORP0000123,ORBC0100123,ANDB0000123,VIJB0001234,LAVB0000123")


def make_users(rng: Random, timeline: Timeline) -> Iterator[Cells]:
    # Indian mobile numbers have ten digits and begin with 6, 7, 8 or 9.
    mobiles = rng.sample(range(6_000_000_000, 10_000_000_000), len(timeline.moments))
    for index, (at, mobile) in enumerate(zip(timeline.moments, mobiles, strict=True)):
        yield {
            "id": timeline.id_of(index),
            "created_at": stored_text(at),
            "username": _UNUSUAL_NAMES.get(index % 250) or _make_name(rng),
            "mobile": str(mobile),
        }


def _make_name(rng: Random) -> str:
    firsts, lasts = rng.choice(_REGIONS)
    initial = f"{rng.choice('ABCDGHJKLMNPRSTV')}. " if rng.random() < 0.2 else ""
    return f"{rng.choice(firsts)} {initial}{rng.choice(lasts)}"


def make_address(rng: Random) -> str:
    house = rng.choice(_HOUSES).format(rng.randint(1, 240))
    where = f"{rng.choice(_STREETS)}, {rng.choice(_LOCALITIES)}, {rng.choice(_CITIES)}"
    return f"{house}, {where}{rng.randint(1, 98):03d}"


def make_account(rng: Random, client: int) -> tuple[str, str]:
    """Account number and IFSC of the same bank; a few are mistyped, as hasty clients do."""
    entry = rng.choice(_BANKS)
    bank, length = entry[:4], int(entry[4:])
    # Some banks pad with zeros, which many programs lose when they read the number.
    digits = length - 3 if rng.random() < 0.2 else length
    account_no = str(rng.randrange(10 ** (digits - 1), 10**digits)).zfill(length)
    # Some branches have many more clients than others.
    ifsc = directory().code_at(bank, int(len(directory().listed[bank]) * rng.random() ** 2))
    # By the client's number, so that even a small demo has them all, but not among the first, who claim most.
    match (client - 40) % 100 // 2:
        case 0:
            return account_no, rng.choice(_WITHDRAWN_CODES)
        case 1:
            return account_no, f"{bank}O{ifsc[5:]}"
        case 2:
            return account_no, ifsc.lower()
        case 3:
            return "1234567890123456"[:length], ifsc
    return account_no, ifsc
