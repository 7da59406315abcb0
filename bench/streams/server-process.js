// A service that sends endless speech in real time to any number of clients. The clients are spread evenly over the time
// between two lines, as independent clients would be.
import { randomBytes } from 'node:crypto'
import { lineBytes, lineMs, serve, toLine } from '../shared/serve.js'

const slotMs = 2
const line = toLine(randomBytes(lineBytes))
const slots = Array.from({ length: lineMs / slotMs }, () => new Set())
let connectionCount = 0
let nextSlot = 0

await serve((response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.flushHeaders()
  const slot = slots[connectionCount++ % slots.length]
  slot.add(response)
  response.once('close', () => slot.delete(response))
})

const startedAt = performance.now()
setInterval(() => {
  const dueSlots = Math.floor((performance.now() - startedAt) / slotMs)
  for (; nextSlot < dueSlots; nextSlot++) {
    for (const response of slots[nextSlot % slots.length]) response.write(line)
  }
}, slotMs)
