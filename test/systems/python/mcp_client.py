"""Calls the tools of an MCP server with the Python package mcp. Arguments: the address, the key and the text."""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

address, key, text = sys.argv[1:]


async def main() -> None:
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        async with Client(streamable_http_client(address, http_client=http)) as client:
            tools = (await client.list_tools()).tools
            result = await client.call_tool(tools[0].name, {"text": text})
            names = [tool.name for tool in tools]
            print(json.dumps({"tools": names, "result": result.content[0].text}))


asyncio.run(main())
