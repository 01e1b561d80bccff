"""Reads every sheet of a workbook once, with little memory and time: `python -m` this module, with the file's path.

The library keeps a cell for every place between the first and the last one of a sheet: a file of 5 KB with a single
cell in the last row and column needs 500 GB. It cannot say so before, and aborts the process that lacks the memory.
"""

import resource
import sys

from countinghouse.core.memory import limit_memory
from countinghouse.core.own_process import end_with_parent

# For 40 million cells: a sheet with all rows that Excel allows may have 40 columns.
_MEMORY_BYTES = 1536 * 1024 * 1024
# Several times what the largest genuine workbook needs. Parts of a file can unpack to far more than it says.
_CPU_SECONDS = 20
# The exit code for what is damaged, has a password or is something else. Any other but 0 means that it costs too much.
NOT_A_WORKBOOK = 3


def main(path: str) -> int:
    limit_memory(_MEMORY_BYTES)
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    from python_calamine import CalamineWorkbook

    try:
        workbook = CalamineWorkbook.from_path(path)
        for name in workbook.sheet_names:
            workbook.get_sheet_by_name(name)
    except MemoryError:
        return 1
    except BaseException:
        # The library panics at some damaged files, with an exception that is not an Exception.
        return NOT_A_WORKBOOK
    return 0


if __name__ == "__main__":
    end_with_parent()
    sys.exit(main(sys.argv[1]))
