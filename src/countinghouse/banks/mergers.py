"""Banks that are part of another now: their codes ended, and clients go on writing them down."""

# By the letters their codes began with.
MERGED_INTO = {
    "ALLA": "IDIB",
    "ANDB": "UBIN",
    "BKDN": "BARB",
    "BMBL": "SBIN",
    "CORP": "UBIN",
    "FSFB": "AUBL",
    "LAVB": "DBSS",
    "LKBL": "HDFC",
    "ORBC": "PUNB",
    "PMCB": "UNBA",
    "SBBJ": "SBIN",
    "SBHY": "SBIN",
    "SBMY": "SBIN",
    "SBTR": "SBIN",
    "STBP": "SBIN",
    "SYNB": "CNRB",
    "UTBI": "PUNB",
    "VIJB": "BARB",
    "VYSA": "KKBK",
}
