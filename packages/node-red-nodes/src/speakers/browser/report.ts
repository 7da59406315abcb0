import type { IRouter, RequestHandler } from 'express'
import type { Browsers } from './browsers.ts'
import { type BrowserEvent, browserEvents } from './commands.ts'

/**
 * Adds the routes that the browsers of a loudspeaker call, below a path: `report` for their events, and `audio` for the sound.
 * @param find The browsers that a request belongs to.
 */
export function addBrowserRoutes(
  router: IRouter,
  path: string,
  find: (name: string) => Browsers | undefined,
  ...guards: RequestHandler[]
): void {
  const read = ({ params, query }: Parameters<RequestHandler>[0]) => ({
    browsers: find(String(params['name'] ?? '')),
    id: String(query['id'] ?? ''),
    player: String(query['player'] ?? ''),
    event: browserEvents.find((event): event is BrowserEvent => event === query['event']),
  })
  router.post(`${path}/report`, ...guards, (request, response) => {
    const { browsers, id, player, event } = read(request)
    response.json({ play: event !== undefined && browsers?.report(id, player, event) === true })
  })
  router.get(`${path}/audio`, ...guards, (request, response) => {
    const { browsers, id, player } = read(request)
    if (!browsers?.sendAudio(id, player, response)) response.status(404).end()
  })
}
