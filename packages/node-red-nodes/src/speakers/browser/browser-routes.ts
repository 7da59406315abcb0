import type { NodeAPI } from 'node-red'
import { textOf } from '../../runtime/admin-route.ts'
import type { Browsers } from './browsers.ts'
import { type BrowserEvent, browserEvents } from './commands.ts'

type Guard = ReturnType<NodeAPI['auth']['needsPermission']>

/** Ids are chosen by the browsers. @returns an empty text for one that no browser of ours would choose. */
export function playerId(value: unknown): string {
  return typeof value === 'string' && /^\w{1,64}$/.test(value) ? value : ''
}

/**
 * Adds the routes that the browsers of a speaker call, below a path: `report` for their events, and `audio` for the sound.
 * @param find The browsers that a request belongs to.
 */
export function addBrowserRoutes(
  router: NodeAPI['httpNode'],
  path: string,
  find: (name: string) => Browsers | undefined,
  ...guards: Guard[]
): void {
  const read = ({ params, query }: Parameters<Guard>[0]) => ({
    browsers: find(String(params['name'] ?? '')),
    id: textOf(query['id']),
    player: playerId(query['player']),
    event: browserEvents.find((event): event is BrowserEvent => event === query['event']),
  })
  router.post(`${path}/report`, ...guards, async (request, response) => {
    const { browsers, id, player, event } = read(request)
    const isKnown = browsers && player && event
    response.json({ play: isKnown ? await browsers.report(id, player, event) : false })
  })
  router.get(`${path}/audio`, ...guards, (request, response) => {
    const { browsers, id, player } = read(request)
    if (!browsers?.sendAudio(id, player, response)) response.status(404).end()
  })
}
