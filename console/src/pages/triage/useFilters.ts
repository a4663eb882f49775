import { choice } from '../../parts/page/choice.ts'
import { useParameter } from '../../parts/page/useParameter.ts'
import { WORK } from './handling/states.ts'

export const HOURS = ['1', '6', '24', '72', '168', '720'] as const
export const SCOPES = ['malicious', 'all'] as const
export const ACCURACIES = ['0', '1', '2', '3'] as const

/** The filters in the URL: those that the platform applies, and those that the page applies. */
export function useFilters() {
  const [hours, setHours] = useParameter('hours')
  const [scope, setScope] = useParameter('scope')
  const [type, setType] = useParameter('type')
  const [accuracy, setAccuracy] = useParameter('accuracy')
  const [tag, setTag] = useParameter('tag')
  const [text, setText] = useParameter('text')
  const [work, setWork] = useParameter('work')
  return {
    hours: choice(HOURS, hours, '24'),
    scope: choice(SCOPES, scope, 'malicious'),
    type: type ?? '',
    accuracy: choice(ACCURACIES, accuracy, '0'),
    tag: tag ?? '',
    text: text ?? '',
    work: choice(WORK, work, 'open'),
    set: {
      hours: setHours,
      scope: setScope,
      type: setType,
      accuracy: setAccuracy,
      tag: setTag,
      text: setText,
      work: setWork,
    },
  }
}

export type TriageFilters = ReturnType<typeof useFilters>
