"""The service in OpenAPI's words, made of the endpoints themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from warm_tui import __version__
from warm_tui.approvals.service.endpoints import Endpoint

ERROR = {
    "content": {
        "application/json": {
            "schema": {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}
        }
    }
}
ALWAYS = {401: "No token", 403: "Not with this token, or not from there"}
WITH_BODY = {400: "The body cannot be taken", 408: "The body came too slowly", 413: "The body is too large"}


def document(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    endpoints = list(endpoints)
    bodies = [each.body for each in endpoints if each.body is not None]
    schemas, components = msgspec.json.schema_components(bodies, ref_template="#/components/schemas/{name}")
    schema_of = dict(zip(bodies, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for each in endpoints:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Warm TUI approvals", "version": __version__},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(endpoint: Endpoint, schema_of: dict[type[Any], Any]) -> dict[str, Any]:
    told: dict[str, Any] = {"summary": endpoint.summary, "description": f"Needs the token of an {endpoint.role}."}
    names = re.findall(r"\{(\w{1,20})\}", endpoint.path)
    parameters = [{"name": n, "in": "path", "required": True, "schema": {"type": "string"}} for n in names]
    parameters += [
        {"name": n, "in": "query", "description": says, "schema": {"type": "number"}}
        for n, says in endpoint.query.items()
    ]
    if parameters:
        told["parameters"] = parameters
    answers = ALWAYS | (WITH_BODY if endpoint.body else {400: "A parameter is wrong"} if endpoint.query else {})
    if endpoint.body:
        told["requestBody"] = {"content": {"application/json": {"schema": schema_of[endpoint.body]}}}
    answers = answers | endpoint.answers
    told["responses"] = {
        str(status): {"description": says} | (ERROR if status >= 400 else {})
        for status, says in sorted(answers.items())
    }
    return told
