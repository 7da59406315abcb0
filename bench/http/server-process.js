// A service that responds with one line at once.
import { randomBytes } from 'node:crypto'
import { serve, toLine } from '../shared/serve.js'

const line = toLine(randomBytes(4800))
await serve((response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(line)
})
