"""What a notebook does with clickhouse-connect: connects, asks with parameters, reads every view. One JSON line."""

import json
import sys

import clickhouse_connect
from clickhouse_connect.driver.exceptions import DatabaseError

host, port, user, password = sys.argv[1:5]
client = clickhouse_connect.get_client(
    host=host, port=int(port), username=user, password=password, database="harrier", compress=sys.argv[5] == "compress"
)
tables = [name for (name,) in client.query("SHOW TABLES").result_rows]
rows = {table: len(client.query(f"SELECT * FROM {table}").result_rows) for table in tables}
bound = client.query(
    "SELECT count() FROM bi_entities WHERE type = {type:String} AND reputation < {below:Int8}",
    parameters={"type": "ip", "below": 0},
).first_row[0]
limited = client.query("SELECT value FROM bi_entities", settings={"max_result_rows": 1000000}).row_count
streamed = 0
with client.query_row_block_stream("SELECT entity, ts, tags, attributes FROM bi_history") as blocks:
    for block in blocks:
        streamed += len(block)
try:
    client.query("SELECT * FROM harrier.entities")
    refused = False
except DatabaseError as error:
    refused = "UNKNOWN_TABLE" in str(error)
print(json.dumps({"tables": tables, "rows": rows, "bound": bound, "limited": limited, "streamed": streamed, "refused": refused}))
