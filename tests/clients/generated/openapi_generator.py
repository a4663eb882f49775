"""Drives the client that openapi-generator makes. argv: folder of the client, URL, key, secret, value of an entity."""

import json
import sys
import time

folder, url, key, secret, value = sys.argv[1:]
sys.path.insert(0, folder)

import openapi_client as made  # noqa: E402

configuration = made.Configuration(host=url, api_key={"apiKey": key, "apiSecret": secret})
client = made.ApiClient(configuration)
# By itself the client waits for the end of a window and asks again.
anonymous = made.ApiClient(made.Configuration(host=url, retries=False))


def found():
    """The first search that finds the entity, within 30 s."""
    search = made.SearchApi(anonymous)
    until = time.monotonic() + 30
    while True:
        try:
            return search.search_history_simple(made.SearchHistorySimpleRequest(query=value))
        except made.exceptions.NotFoundException:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def limited():
    """The refusal after as many requests as the limit allows."""
    for _ in range(10):
        try:
            made.AnalyticsApi(anonymous).get_attribution()
        except made.ApiException as refused:
            return refused
    raise AssertionError("never limited")


report = made.ReportEntityRequest(
    type="ip",
    attributes={"ip": value, "asn": 64500},
    reputation=-2,
    tags=["generated"],
    associations=[made.Association(mode="association", type="domain", attributes={"domain": "login.example.com"})],
)
reported = made.IngestApi(client).report_entity(report)
page = found()
overview = made.AnalyticsApi(client).get_overview(days=2)
member = made.AddMemberRequest(user_id="01941f29-7c00-7000-8000-000000000007", role="user")
try:
    made.SearchApi(client).get_entity("ip-" + "0" * 64)
except made.exceptions.NotFoundException as missing:
    error = missing
refused = limited()
answer = {
    "reported": reported.id,
    "found": [page.items, page.results[0].attributes["asn"], page.results[0].reputation, page.aggregations],
    "counted": overview.window.days,
    "role": member.to_dict()["role"],
    "error": [error.status, error.data.error.code],
    "limited": [refused.status, refused.data.error.code, refused.headers["ratelimit-remaining"]],
}
print(json.dumps(answer))
