"""Parquet files of feeds as pyarrow reads them: `parquet.py <file>...` prints one JSON line with each file.

Times are unix milliseconds.
"""

import json
import sys

import pyarrow
import pyarrow.parquet


def read(path):
    table = pyarrow.parquet.read_table(path)
    columns = [f"{field.name} {field.type}" for field in table.schema]
    for at, field in enumerate(table.schema):
        if pyarrow.types.is_timestamp(field.type):
            table = table.set_column(at, field.name, table.column(at).cast(pyarrow.int64()))
    return {"columns": columns, "rows": table.to_pylist()}


print(json.dumps([read(path) for path in sys.argv[1:]]))
