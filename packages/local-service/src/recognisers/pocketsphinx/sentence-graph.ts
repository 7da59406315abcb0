/** A node of the tree of all sentences. Sentences that begin with the same words share these nodes. */
interface Node {
  state: number
  /** How many sentences lead here, and how many of them end here. */
  sentences: number
  ends: number
  next: Map<string, Node>
}

/**
 * Writes sentences as a finite state graph in the text format of sphinxbase, in which each sentence is equally likely.
 * @param sentences their words; no sentence is empty.
 */
export function writeSentenceGraph(sentences: readonly (readonly string[])[]): string {
  let states = 0
  const createNode = (): Node => {
    states += 1
    return { state: states - 1, sentences: 0, ends: 0, next: new Map() }
  }
  const root = createNode()
  const finalState = createNode().state
  for (const words of sentences) {
    let node = root
    node.sentences += 1
    for (const word of words) {
      if (!node.next.has(word)) node.next.set(word, createNode())
      node = node.next.get(word)!
      node.sentences += 1
    }
    node.ends += 1
  }

  const lines: string[] = []
  const write = (from: Node) => {
    const going = from.sentences - from.ends
    for (const [word, to] of from.next) {
      const transition = (state: number, count: number) =>
        `TRANSITION ${from.state} ${state} ${(count / going).toFixed(8)} ${word}`
      if (to.ends > 0) lines.push(transition(finalState, to.ends))
      if (to.next.size > 0) lines.push(transition(to.state, to.sentences - to.ends))
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
