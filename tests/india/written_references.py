"""References as Indian banks and payment apps write them, alone and in the lines of their statements."""

from random import Random

# Of public, private, small finance, payments and foreign banks.
# fmt: off
BANKS = (
    "SBIN", "PUNB", "BARB", "CNRB", "UBIN", "IDIB", "BKID", "IOBA", "CBIN", "UCBA", "MAHB", "PSIB", "HDFC", "ICIC",
    "UTIB", "KKBK", "INDB", "YESB", "IDFB", "FDRL", "SIBL", "KARB", "KVBL", "JAKA", "RATN", "CIUB", "TMBL", "DCBL",
    "BDBL", "AUBL", "ESFB", "UJVN", "JSFB", "AIRP", "PYTM", "IPOS", "FINO", "NSPB", "CITI", "HSBC", "SCBL", "DEUT",
    "DBSS",
)
# fmt: on
NAMES = ("RAHUL NAIR", "MR. P SHARMA", "Jaya", "HARPREET SI", "M/S RAJ AND CO", "ANANYA IYER")
HANDLES = ("rahul.n@oksbi", "jaya@ybl", "paytm.s1abc@pty", "9812345670@axl", "harpreet@okhdfcbank", "raj@upi")
APPS = ("PTM", "YBL", "AXL", "ICI", "HDF", "SBI", "AXISM", "CRED", "AMZ", "WA", "BHIM", "KKB")


def reference(random: Random) -> str:
    """Full of letters that are shortcuts. All of them can be stored."""

    def digits(count: int) -> str:
        return "".join(random.choices("0123456789", k=count))

    def letters(count: int) -> str:
        return "".join(random.choices("0123456789abcdefhijmprux", k=count))

    bank, name, handle, app = (random.choice(some) for some in (BANKS, NAMES, HANDLES, APPS))
    # As the year's last digit and the day of the year, then more digits.
    rrn = f"6{random.randint(1, 365):03}{digits(8)}"
    neft = random.choice([f"{bank}N{digits(11)}", f"{bank}H{digits(11)}", f"{bank}{digits(12)}", f"N{digits(15)}"])
    rtgs = f"{bank}R{random.choice('125P')}2026{random.randint(1, 12):02}{random.randint(1, 28):02}{digits(8)}"
    return random.choice(
        [
            rrn,
            f"{rrn[:4]} {rrn[4:8]} {rrn[8:]}",
            f"0000{rrn}",
            f"UPI-{rrn}",
            f"UPI Ref No: {rrn}",
            f"UPI Ref. No. {rrn}",
            f"RRN:{rrn}",
            f"IMPS/{rrn}",
            f"IMPS/P2A/{rrn}/{name}",
            f"IMPS-{rrn}-{name}-{bank}-XXXXXXX1234-claim",
            f"MMT/IMPS/{rrn}/claim/{name}/{bank}0001234",
            f"TO TRANSFER-INB IMPS/P2A/{rrn}/XXXXXXX991{bank}",
            f"UPI/{rrn}/claim",
            f"UPI/P2A/{rrn}/{name}/{bank}/claim",
            f"UPI/P2M/{rrn}/{name}/{bank}",
            f"UPI/DR/{rrn}/{name}/{bank}/{handle}/Pay",
            f"UPI/{name}/{handle}/claim/{bank}/{rrn}",
            f"UPI/{name}/{rrn}/claim",
            f"UPI-{name}-{handle.upper()}-{bank}0001234-{rrn}-CLAIM",
            neft,
            neft.lower(),
            f"UTR {neft}",
            f"NEFT/{neft}/{name}/{bank}/claim",
            f"NEFT*{bank}0001234*{neft}*{name}",
            f"NEFT-{neft}-{name}-{digits(12)}",
            rtgs,
            f"{rtgs[:6]} {rtgs[6:14]} {rtgs[14:]}",
            f"RTGS/{rtgs}/{name}/{bank}0001234",
            f"T26{random.randint(1, 12):02}{random.randint(1, 28):02}{digits(16)}",
            f"{app}{letters(8)}{digits(6)}",
            f"{app.lower()}/{letters(8)}{digits(4)}",
            f"CICAg{letters(6)}{digits(4)}",
            f"pay_{letters(8)}{digits(4)}".replace("_", "-"),
            f"paytm{digits(6)}",
            f"jpaj{digits(8)}hrm",
        ]
    )
