import { optionalNumber } from '../../editor/checks.ts'
import { endOfTurnField } from '../../editor/fields/conditional-rows.ts'
import { linesNote } from '../../editor/fields/field-note.ts'
import { languageField } from '../../editor/fields/language-field.ts'
import { chatModelField } from '../../editor/fields/model-fields.ts'
import { recogniserNote } from '../../editor/fields/recogniser-field.ts'
import { voiceField } from '../../editor/fields/voice-field.ts'
import { stopButton } from '../../editor/node-buttons.ts'
import { nodeForm } from '../../editor/node-form.ts'
import { sharedText } from '../../editor/red.ts'
import { chosenService } from '../../editor/service-settings.ts'
import { parseTools, type ToolsProblem } from './parse-tools.ts'

export const converseForm = nodeForm({
  defaults: {
    instructions: { value: '' },
    voice: { value: '' },
    model: { value: '' },
    tools: { value: '', validate: checkTools },
    reminders: { value: false },
    mcpServer: { value: '', type: 'parlando-mcp-server', required: false },
    keep: { value: false },
    filler: { value: 'tone', required: true },
    keepListening: { value: 'always', required: true },
    language: { value: '' },
    endOfTurn: { value: 'normal', required: true },
    silenceMs: { value: '', validate: optionalNumber({ min: 20, max: 5000 }) },
    mayInterrupt: { value: true },
  },
  paletteLabel: 'converse',
  button: stopButton,
  inputPort: 'converse.port.input',
  outputPorts: ['converse.port.sound', 'converse.port.transcript', 'converse.port.tool'],
  oneditprepare() {
    voiceField({
      input: '#node-input-voice',
      service: chosenService,
      serviceInput: '#node-input-service',
      languageInput: '#node-input-language',
    })
    recogniserNote(chosenService)
    chatModelField('#node-input-model', chosenService)
    languageField('#node-input-language')
    linesNote($('#node-input-tools'), describeTools)
    endOfTurnField()
  },
})

function checkTools(value: unknown, _options: unknown): true | string {
  const { problem } = parseTools(String(value ?? ''))
  return problem ? toolsProblemText(problem) : true
}

function describeTools(lines: string) {
  const { tools, problem } = parseTools(lines)
  if (problem) return { words: toolsProblemText(problem), isProblem: true }
  const count = tools.length
  return { words: count > 0 ? sharedText('tools.count', { count }) : '', isProblem: false }
}

function toolsProblemText({ problem, line }: ToolsProblem): string {
  return sharedText(`tools.${problem}`, { line })
}
