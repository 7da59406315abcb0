/** A node of the tree of all sentences. Sentences that begin with the same words share these nodes. */
interface Node {
  state: number
  next: Map<string, Node>
  /** Whether a sentence ends here. */
  isEnd: boolean
}

/**
 * Writes sentences as a finite state graph in the text format of sphinxbase.
 * @param sentences their words; no sentence is empty.
 */
export function writeSentenceGraph(sentences: readonly (readonly string[])[]): string {
  let states = 0
  const createNode = (): Node => {
    states += 1
    return { state: states - 1, next: new Map(), isEnd: false }
  }
  const root = createNode()
  const finalState = createNode().state
  for (const words of sentences) {
    let node = root
    for (const word of words) {
      if (!node.next.has(word)) node.next.set(word, createNode())
      node = node.next.get(word)!
    }
    node.isEnd = true
  }

  const lines: string[] = []
  const write = (from: Node) => {
    for (const [word, to] of from.next) {
      if (to.isEnd) lines.push(`TRANSITION ${from.state} ${finalState} 1 ${word}`)
      if (to.next.size > 0) lines.push(`TRANSITION ${from.state} ${to.state} 1 ${word}`)
      write(to)
    }
  }
  write(root)
  return [
    'FSG_BEGIN sentences',
    `NUM_STATES ${states}`,
    `START_STATE ${root.state}`,
    `FINAL_STATE ${finalState}`,
    ...lines,
    'FSG_END\n',
  ].join('\n')
}
