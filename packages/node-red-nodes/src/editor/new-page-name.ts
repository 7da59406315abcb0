import { pageName } from '../shared/page-name.ts'
import { RED } from './red.ts'

interface PageNode {
  id: string
  type: string
  name?: string
  kind?: string
}

/** Names a node that is dropped, if another one without a name has its page already. */
export function nameNewPage(node: PageNode, kind: 'microphone' | 'speaker'): void {
  // Nodes that are pasted or imported exist already.
  if (!node.name && !RED.nodes.node(node.id)) node.name = freeName(node.id, kind)
}

/** @returns an empty text if the page that has the name of its kind is free. */
export function freeName(id: string, kind: 'microphone' | 'speaker'): string {
  const taken = new Set<string>()
  const add = (each: unknown) => {
    const other = each as PageNode
    if (other.type !== `parlando-${kind}` || other.id === id || other.kind !== 'page') return true
    taken.add(pageName(other.name || kind))
    return true
  }
  RED.nodes.eachNode(add)
  RED.nodes.eachConfig(add)
  let number = 1
  const name = () => (number === 1 ? kind : `${kind} ${number}`)
  while (taken.has(pageName(name()))) number += 1
  return number === 1 ? '' : name()
}
