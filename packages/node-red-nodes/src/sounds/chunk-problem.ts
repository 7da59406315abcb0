/** The parts of a node, in the editor or at run time, that say what it does with chunks. */
export interface Consumer {
  id: string
  type: string
  /** What *write file* does with an existing file. */
  overwriteFile?: unknown
}

/** Why a node needs all the audio in one message. */
export type ChunkProblem = 'file' | 'exec' | 'response' | 'player'

const problems: ReadonlyMap<string, ChunkProblem> = new Map([
  ['exec', 'exec'],
  ['http response', 'response'],
  // The audio nodes of both dashboards, and nodes that play a Buffer.
  ['ui_audio', 'player'],
  ['ui-audio', 'player'],
  ['play audio', 'player'],
  ['speakerpi-output', 'player'],
])

// These nodes send every chunk on.
const passing = new Set(['junction', 'change', 'delay', 'link in', 'link out', 'switch'])

const maxNodes = 200

/**
 * Finds a node behind the wires that chunks would reach one by one, although it needs all the audio at once.
 * @param next The nodes at the outputs of a node.
 */
export function findChunkProblem<Node extends Consumer>(
  first: readonly Node[],
  next: (node: Node) => readonly Node[],
): { node: Node; problem: ChunkProblem } | undefined {
  const queue = [...first]
  const seen = new Set<string>()
  for (let node = queue.shift(); node && seen.size < maxNodes; node = queue.shift()) {
    if (seen.has(node.id)) continue
    seen.add(node.id)
    const problem = problemOf(node)
    if (problem) return { node, problem }
    if (passing.has(node.type)) queue.push(...next(node))
  }
  return undefined
}

function problemOf({ type, overwriteFile }: Consumer): ChunkProblem | undefined {
  if (type === 'file') return String(overwriteFile) === 'true' ? 'file' : undefined
  return problems.get(type)
}
