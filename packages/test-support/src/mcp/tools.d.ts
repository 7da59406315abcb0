import type { McpServer } from '@modelcontextprotocol/server'

/** An MCP server with the tools of the tests. */
export declare function createTestMcpServer(): McpServer
