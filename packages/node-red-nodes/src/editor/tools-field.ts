import { parseTools, type ToolsProblem } from '../shared/tool-lines.ts'
import { sharedText } from './texts.ts'

/** A validator for the tools of a *converse* node. */
export function conversationTools(value: unknown, _options: unknown): true | string {
  const { problem } = parseTools(String(value ?? ''))
  return problem ? textOf(problem) : true
}

/** Below the tools: how many they are, or what is wrong with them. */
export function toolsField(selector: string): void {
  const field = $(selector)
  const note = $('<div class="parlando-note" id="parlando-tools-note" role="status"></div>')
  field.attr('aria-describedby', 'parlando-tools-note').after(note)
  const show = () => {
    const { tools, problem } = parseTools(String(field.val()))
    note.toggleClass('parlando-problem', problem !== undefined)
    if (problem) note.text(textOf(problem))
    else note.text(tools.length > 0 ? sharedText('tools.count', { count: tools.length }) : '')
  }
  field.on('input', show)
  show()
}

function textOf({ problem, line }: ToolsProblem): string {
  return sharedText(`tools.${problem}`, { line })
}
