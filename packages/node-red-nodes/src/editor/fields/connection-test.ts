import { askService } from '../ask-admin.ts'
import { text } from '../red.ts'
import type { ServiceSettings } from '../service-settings.ts'
import { showWithDetail } from './field-note.ts'

interface Answer {
  outcome: string
  firstAudioMs?: number
  reason?: string
}

const goodOutcomes = ['well', 'cannot-list', 'chat-only']

/**
 * Makes a button test the service with the current settings of the form, and shows the result below the button until one
 * of the inputs changes.
 */
export function connectionTest(options: {
  button: string
  result: string
  inputs: string
  service(): ServiceSettings
}): void {
  const button = $(options.button)
  const result = $(options.result).attr('role', 'status').addClass('parlando-note')
  const showStatus = (words: string, kind: string, reason = '') => {
    showWithDetail(result, words, reason).attr('data-outcome', kind)
    result.toggleClass('parlando-problem', kind !== '' && !goodOutcomes.includes(kind))
    result.toggleClass('parlando-success', goodOutcomes.includes(kind))
  }
  let asking = 0
  $(options.inputs).on('input change', () => {
    asking += 1
    showStatus('', '')
  })
  button.on('click', async (event) => {
    event.preventDefault()
    const mine = asking
    const service = options.service()
    button.prop('disabled', true)
    showStatus(text('test.running'), '')
    try {
      const { outcome, firstAudioMs, reason } = await askService<Answer>('test', {
        service,
        modelId: service.model,
      })
      const milliseconds = Math.round(firstAudioMs ?? 0)
      // The paths of the requests begin with a version of their own.
      const hasVersion = outcome === 'not-this-service' && /\/v\d+\/?$/.test(service.baseUrl)
      const words = hasVersion ? text('test.version') : text(`test.${outcome}`, { milliseconds })
      if (mine === asking) showStatus(words, outcome, reason)
    } catch (error) {
      if (mine === asking) showStatus((error as Error).message, 'failed')
    }
    button.prop('disabled', false)
  })
}
