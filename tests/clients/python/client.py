"""What notebooks and Superset do: connect, ask with parameters, read every view, look around. One JSON line."""

import json
import sys

import clickhouse_connect
import sqlalchemy
from clickhouse_connect.driver.exceptions import DatabaseError

host, port, user, password = sys.argv[1:5]


def asked(compress):
    """What clickhouse-connect finds."""
    client = clickhouse_connect.get_client(
        host=host, port=int(port), username=user, password=password, database="harrier", compress=compress
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
    return {"tables": tables, "rows": rows, "bound": bound, "limited": limited, "streamed": streamed, "refused": refused}


def looked_around(scheme):
    """What a dialect of SQLAlchemy finds: `clickhousedb` is that of Superset."""
    engine = sqlalchemy.create_engine(f"{scheme}://{user}:{password}@{host}:{port}/harrier")
    inspector = sqlalchemy.inspect(engine)
    with engine.connect() as connection:
        count = connection.execute(sqlalchemy.text("SELECT count() FROM bi_asn")).scalar()
    # The one calls views tables, the other does not.
    names = sorted({*inspector.get_table_names("harrier"), *inspector.get_view_names("harrier")})
    return {
        "schemas": inspector.get_schema_names(),
        "tables": names,
        "columns": [column["name"] for column in inspector.get_columns("bi_asn", "harrier")],
        "keys": inspector.get_pk_constraint("bi_asn", "harrier").get("constrained_columns", []),
        "indexes": inspector.get_indexes("bi_asn", "harrier"),
        "count": count,
    }


found = {
    "plain": asked(False),
    "compress": asked(True),
    "superset": looked_around("clickhousedb"),
    "sqlalchemy": looked_around("clickhouse+http"),
}
print(json.dumps(found))
