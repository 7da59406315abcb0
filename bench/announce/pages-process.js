// Many pages in their own process. Reports their longest silence when it receives a message.
import { once } from 'node:events'
import { connectPage } from './page.js'

for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, () => process.exit())
const [{ baseUrl, pageCount }] = await once(process, 'message')
const pages = await Promise.all(
  Array.from({ length: pageCount }, (_, index) => connectPage(baseUrl, `page${index}`)),
)
process.on('message', () => {
  process.send({ maxSilentMs: Math.max(...pages.map((page) => page.maxSilentMs())) })
})
process.send('connected')
