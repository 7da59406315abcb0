import type { NodeAPI } from 'node-red'
import { stateOf } from '../runtime/package-state.ts'
import { sendPage, sendScript } from './send-page.ts'

/** A page, as `/parlando/` lists it. */
export interface ListedPage {
  kind: 'speaker' | 'microphone'
  /** The part of its address that names it. */
  path: string
  /** The name as people have written it. */
  name: string
  /** How many browsers have it open. */
  open: number
}

type List = () => readonly ListedPage[]

/**
 * Adds pages to the list of all pages, `<httpNodeRoot>/parlando/`. The first call adds its routes.
 * @param list is called for each request.
 */
export function addToPageList({ httpNode }: Pick<NodeAPI, 'httpNode'>, list: List): void {
  const lists = stateOf(httpNode, 'pageLists', (): List[] => [])
  lists.push(list)
  if (lists.length > 1) return
  httpNode.get('/parlando', ({ path }, response) => {
    // The addresses in the list are relative to one with a slash at the end.
    if (!path.endsWith('/')) return response.redirect('parlando/')
    return sendPage(response, 'list.html', '')
  })
  httpNode.get('/parlando/list-page.js', (_request, response) => sendScript(response, 'list.js'))
  httpNode.get('/parlando/page-list', (_request, response) => {
    const pages = lists.flatMap((one) => one())
    pages.sort((first, second) => first.name.localeCompare(second.name))
    response.set('Cache-Control', 'no-store').json(pages)
  })
}
