// A service that responds with many lines at once.
import { randomBytes } from 'node:crypto'
import { lineBytes, serve, toLine } from '../shared/serve.js'

const lineCount = 300
const lines = Buffer.concat(Array.from({ length: lineCount }, () => toLine(randomBytes(lineBytes))))
await serve((response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(lines)
})
