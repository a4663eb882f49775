"""Drives the client that openapi-python-client makes. argv: folder of the client, URL, key, secret, value of an entity."""

import json
import os
import sys
import time

folder, url, key, secret, value = sys.argv[1:]
sys.path.insert(0, os.path.dirname(folder))

from made import AuthenticatedClient, Client  # noqa: E402
from made.api.analytics import get_attribution, get_overview  # noqa: E402
from made.api.ingest import report_entity  # noqa: E402
from made.api.search import get_entity, search_history_simple  # noqa: E402
from made.models import AddMemberBody, AddMemberBodyRole, ReportEntityBody, SearchHistorySimpleBody  # noqa: E402

client = AuthenticatedClient(url, token=key, prefix="", auth_header_name="api-key", headers={"api-secret": secret})
anonymous = Client(url)


def found():
    """The first search that finds the entity, within 30 s."""
    until = time.monotonic() + 30
    while True:
        answer = search_history_simple.sync_detailed(client=anonymous, body=SearchHistorySimpleBody(query=value))
        if answer.status_code == 200 or time.monotonic() > until:
            return answer.parsed
        time.sleep(0.05)


def limited():
    """The refusal after as many requests as the limit allows."""
    for _ in range(10):
        answer = get_attribution.sync_detailed(client=anonymous)
        if answer.status_code == 429:
            return answer
    raise AssertionError("never limited")


report = ReportEntityBody.from_dict(
    {
        "type": "ip",
        "attributes": {"ip": value, "asn": 64500},
        "reputation": -2,
        "tags": ["generated"],
        "associations": [
            {"mode": "association", "type": "domain", "attributes": {"domain": "login.example.com"}}
        ],
    }
)
reported = report_entity.sync(client=client, body=report)
page = found()
overview = get_overview.sync(client=client, days=2)
member = AddMemberBody(user_id="01941f29-7c00-7000-8000-000000000007", role=AddMemberBodyRole.USER)
error = get_entity.sync_detailed("ip-" + "0" * 64, client=client)
refused = limited()
answer = {
    "reported": reported.id,
    "found": [page.items, page.results[0].attributes["asn"], page.results[0].reputation, page.aggregations],
    "counted": overview.window.days,
    "role": member.to_dict()["role"],
    "error": [int(error.status_code), error.parsed.error.code],
    "limited": [int(refused.status_code), refused.parsed.error.code, refused.headers["ratelimit-remaining"]],
}
print(json.dumps(answer))
