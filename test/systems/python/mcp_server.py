"""An MCP server of the Python package mcp. Arguments: the transport and the port."""

import os
import sys

from mcp.server.mcpserver import MCPServer

transport, port = sys.argv[1], int(sys.argv[2])
server = MCPServer("python")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool()
def fail() -> str:
    """Fails."""
    raise ValueError("no power")


@server.tool()
def stop() -> str:
    """Ends the server."""
    os._exit(3)


if transport == "stdio":
    server.run()
else:
    server.run("streamable-http", host="127.0.0.1", port=port)
