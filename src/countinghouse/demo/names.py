"""Names of people who do not exist. First and last name are from the same region, so that they sound right together."""

from random import Random

_REGIONS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = tuple(
    (tuple(firsts.split()), tuple(lasts.split()))
    for firsts, lasts in (
        (
            "Ananya Karthik Lakshmi Senthil Meenakshi Arvind Kavitha Murugan Deepika Vignesh Revathi Prabhu Nandini"
            " Bala Gayathri Sundar Yamini Hari Abirami Saravanan",
            "Iyer Iyengar Subramanian Natarajan Krishnan Raman Venkatesan Chandrasekaran Sundaram Pillai Mudaliar"
            " Chettiar Ganesan Rajagopalan Selvam",
        ),
        (
            "Anjali Vishnu Sreelakshmi Rahul Aswathy Jithin Parvathy Manoj Athira Sandeep Reshma Vinod Gopika Unni"
            " Thomas Mariam Jose Annamma Biju Shyla",
            "Nair Menon Kurup Varma Panicker Warrier Namboothiri Thampi Kurian Varghese Mathew Chacko George Philip"
            " Joseph",
        ),
        (
            "Sai Swathi Srinivas Padma Ramesh Sravani Naveen Lavanya Mahesh Keerthi Raghavendra Shilpa Manjunath"
            " Pooja Basavaraj Roopa Chaitanya Bhavani Girish",
            "Reddy Rao Naidu Chowdary Raju Prasad Gowda Shetty Hegde Bhat Kulkarni Patil Murthy Acharya Kamath",
        ),
        (
            "Aarav Sneha Omkar Pallavi Sachin Manasi Tejas Rutuja Amol Swapnil Ketaki Nilesh Hetal Jignesh Dhruvi"
            " Chirag Krupa Bhavesh Falguni Parth",
            "Deshmukh Joshi Pawar Jadhav Shinde Gaikwad Bhosale Kale Apte Patel Shah Mehta Desai Trivedi Parmar"
            " Solanki",
        ),
        (
            "Aniket Sharmistha Sourav Moumita Debashis Ritwika Partha Sudeshna Arindam Tanushree Biswajit Madhumita"
            " Subhashree Pradeep Rituparna Jyotirmoy Mitali Nabajyoti Pranab",
            "Mukherjee Banerjee Chatterjee Ghosh Bose Sengupta Das Dutta Chakraborty Bhattacharya Mohanty Mishra"
            " Pattnaik Sahoo Borah Saikia",
        ),
        (
            "Harpreet Gurpreet Manpreet Simran Jaspreet Rajinder Navjot Baljit Kirandeep Sukhwinder Amandeep Ravinder"
            " Parminder Vikram Neha Sunil Monika Deepak",
            "Singh Kaur Gill Sidhu Dhillon Sandhu Bajwa Grewal Malhotra Kapoor Khanna Chopra Bhatia Arora Hooda",
        ),
        (
            "Rajesh Sunita Amit Priya Sanjay Rekha Vivek Shweta Alok Nidhi Manish Kiran Abhishek Preeti Saurabh Aditi"
            " Rakesh Seema Gaurav Jyoti",
            "Sharma Verma Gupta Agarwal Tiwari Pandey Yadav Srivastava Dubey Chauhan Rathore Saxena Kumar Jha Sinha"
            " Thakur",
        ),
        (
            "Imran Ayesha Farhan Zainab Salman Nazia Irfan Shabana Aamir Rukhsar Faizan Sana Javed Mehjabeen Arshad"
            " Tabassum Asif Rehana",
            "Khan Ansari Shaikh Qureshi Siddiqui Pathan Sayyed Mirza Hussain Ali Farooqui Kazi Memon",
        ),
    )
)
_FIRSTS = tuple(name for firsts, _ in _REGIONS for name in firsts)
_LASTS = tuple(name for _, lasts in _REGIONS for name in lasts)

# Long enough to break a careless column.
_LONG = (
    "Thiruvengadathan Venkata Subramanian Raghunathan",
    "Sri Venkata Satyanarayana Lakshmi Narasimha Rao K. V. S.",
    "M. G. R. Balasubramaniam Chandrasekaran Pillai",
    "Anantha Padmanabhan Krishnamurthy Viswanathan Iyer",
    "P. V. S. S. Naga Venkata Durga Prasada Rao Chowdary",
)
_DEVANAGARI = ("सुनीता शर्मा", "राजेश कुमार वर्मा", "ज्योत्स्ना देशपांडे")
_INITIALS = "ABCDGHJKLMNPRSTV"


def make_name(rng: Random, index: int) -> str:
    # Chosen by position, so that even a small demo has every kind.
    if index % 97 == 41:
        return _LONG[index // 97 % len(_LONG)]
    if index % 131 == 77:
        return _DEVANAGARI[index // 131 % len(_DEVANAGARI)]
    kind = rng.random()
    if kind < 0.15:
        return f"{rng.choice(_FIRSTS)} {rng.choice(_LASTS)}"
    firsts, lasts = rng.choice(_REGIONS)
    first, last = rng.choice(firsts), rng.choice(lasts)
    return f"{first} {rng.choice(_INITIALS)}. {last}" if kind < 0.30 else f"{first} {last}"
