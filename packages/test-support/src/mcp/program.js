// An MCP server on standard input and output.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createTestMcpServer } from './tools.js'

process.stderr.write('The test server has started.\n')
serveStdio(createTestMcpServer)
