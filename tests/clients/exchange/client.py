"""Uses a TAXII 2.1 server with the client of OASIS. Arguments: command, URL, user, password, and what the command takes."""

import json
import sys

from taxii2client.v21 import Collection, Server, as_pages

command, url, user, password, *rest = sys.argv[1:]


def server():
    return Server(url, user=user, password=password)


def collection():
    return Collection(url, user=user, password=password)


def discover():
    root = server().api_roots[0]
    return {
        "title": root.title,
        "versions": root.versions,
        "collections": [[c.id, c.title, c.can_read, c.can_write] for c in root.collections],
    }


def paged(get, per_request, **filters):
    """Every object of all pages, and how many pages there were."""
    pages = list(as_pages(get, per_request=int(per_request), **filters))
    return {"pages": len(pages), "objects": [o for page in pages for o in page.get("objects", [])]}


def objects(per_request, filters="{}"):
    return paged(collection().get_objects, per_request, **json.loads(filters))


def manifest(per_request, filters="{}"):
    return paged(collection().get_manifest, per_request, **json.loads(filters))


def one(object_id):
    here = collection()
    return {"object": here.get_object(object_id), "versions": here.object_versions(object_id)}


def add(envelope):
    status = collection().add_objects(json.load(open(envelope)), wait_for_completion=False)
    status.refresh()
    counts = ["id", "status", "total_count", "success_count", "failure_count", "pending_count", "failures"]
    return {**{name: getattr(status, name) for name in counts}, **status.custom_properties}


commands = {"discover": discover, "objects": objects, "manifest": manifest, "one": one, "add": add}
print(json.dumps(commands[command](*rest)))
