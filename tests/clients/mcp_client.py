"""Calls every tool of `wikirag` with the official client of another language, and checks schemas and results strictly.

    pip install mcp jsonschema
    python tests/clients/mcp_client.py QUERY wikirag mcp garden.rag.yaml
    python tests/clients/mcp_client.py QUERY http://127.0.0.1:7719/mcp

QUERY must find something. Ends with 0 where all is well.
"""

import asyncio
import json
import os
import sys

from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters

FORBIDDEN = {"anyOf", "oneOf", "allOf", "not", "$ref", "$defs", "definitions", "format", "nullable"}
TEMPLATE = "wiki://{rag}/{wiki}/{+path}"


def strict(schema, at):
    """What models with strict schemas take: closed objects, one type each, every property described."""
    assert isinstance(schema.get("type"), str), f"{at}: type {schema.get('type')}"
    assert not FORBIDDEN & schema.keys(), f"{at}: {FORBIDDEN & schema.keys()}"
    if schema["type"] == "object":
        assert schema.get("additionalProperties") is False, f"{at}: open"
        for name, sub in schema["properties"].items():
            assert sub.get("description"), f"{at}.{name}: no description"
            strict(sub, f"{at}.{name}")
    if schema["type"] == "array":
        strict(schema["items"], f"{at}[]")


async def check(server, mode, query):
    async with Client(server, mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        for tool in tools.values():
            for schema in (tool.input_schema, tool.output_schema):
                Draft202012Validator.check_schema(schema)
                strict(schema, tool.name)
            assert tool.annotations.read_only_hint and tool.annotations.open_world_hint is False

        called = set()

        async def call(name, **arguments):
            called.add(name)
            Draft202012Validator(tools[name].input_schema).validate(arguments)
            result = await client.call_tool(name, arguments)
            assert not result.is_error, f"{name}: {result.content[0].text}"
            Draft202012Validator(tools[name].output_schema).validate(result.structured_content)
            if name not in ("context", "ask"):
                assert json.loads(result.content[0].text) == result.structured_content
            return result.structured_content

        best = (await call("search", query=query, limit=5))["results"][0]
        for where in (best["id"], best["citation"], best["url"]):
            fetched = await call("fetch", id=where)
            assert fetched["url"] == best["url"] and fetched["id"] == best["id"]
        packed = await call("context", question=query, budget=500)
        assert packed["tokens"] <= 500
        await call("ask", question=query)
        wiki, path = best["id"].split("/", 1)
        await call("links", page=path, wiki=wiki)
        await call("status", wikis=[wiki])
        await call("list_wikis")
        assert called == set(tools), set(tools) - called

        wrong = await client.call_tool("search", {"query": query, "collection": wiki})
        assert wrong.is_error and "`wikis`" in wrong.content[0].text

        resources = (await client.list_resources()).resources
        read = await client.read_resource(best["url"])
        assert resources and read.contents[0].text
        templates = (await client.list_resource_templates()).resource_templates
        assert [template.uri_template for template in templates] == [TEMPLATE]
        for prompt in (await client.list_prompts()).prompts:
            filled = await client.get_prompt(prompt.name, {prompt.arguments[0].name: query})
            assert query in filled.messages[0].content.text
        print(f"{mode}: protocol {client.protocol_version}, {len(tools)} tools, {len(resources)} resources")


async def main(query, *server):
    is_url = server[0].startswith("http")
    for mode in ("auto", "legacy"):
        parameters = StdioServerParameters(command=server[0], args=list(server[1:]), env=dict(os.environ))
        await check(server[0] if is_url else parameters, mode, query)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    asyncio.run(main(*sys.argv[1:]))
