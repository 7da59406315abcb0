// A real Node-RED in its own process, with or without the nodes. It sends its resident memory when it is idle.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { startNodeRed } from '../shared/node-red.js'

const settleMs = 5_000
const [{ withNodes }] = await once(process, 'message')
const tab = { id: 'bench-tab', type: 'tab', label: 'Bench' }
const speak = { id: 'bench-speak', type: 'parlando-speak', z: tab.id, service: '', wires: [[]] }
await startNodeRed({ flows: withNodes ? [tab, speak] : [tab], withNodes, credentials: {} })
await wait(settleMs)
process.send(process.memoryUsage.rss() / 1024 ** 2)
