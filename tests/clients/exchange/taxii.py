"""The TAXII server of OASIS with one collection in memory: prints its port, and serves until it is ended."""

import json
import sys
import tempfile

from medallion import application_instance, register_blueprints, set_config
from werkzeug.serving import make_server

COLLECTION = {
    "id": "91a7b528-80eb-42ed-a74d-c6fbd5a26116",
    "title": "Indicators",
    "can_read": True,
    "can_write": True,
    "media_types": ["application/stix+json;version=2.1"],
    "objects": [],
    "manifest": [],
}
DATA = {
    "/discovery": {"title": "T", "default": "http://localhost/shared/", "api_roots": ["http://localhost/shared/"]},
    "shared": {
        "information": {"title": "R", "versions": ["application/taxii+json;version=2.1"], "max_content_length": 9765625},
        "status": [],
        "collections": [COLLECTION],
    },
}

with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    json.dump(DATA, file)
    file.flush()
    backend = {"module": "medallion.backends.memory_backend", "module_class": "MemoryBackend", "filename": file.name}
    configuration = {
        "users": {"harrier": "open sesame"},
        "taxii": {"max_page_size": int(sys.argv[1])},
        "backend": backend,
    }
    for part in ("users", "taxii", "backend"):
        set_config(application_instance, part, configuration)
    register_blueprints(application_instance)

server = make_server("127.0.0.1", 0, application_instance, threaded=True)
print(server.server_port, flush=True)
server.serve_forever()
