"""Banks that have merged into another bank. Their codes have ended, but clients still use them."""

# Keyed by the letters that their codes began with.
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
