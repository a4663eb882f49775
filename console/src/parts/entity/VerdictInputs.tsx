import { SegmentedControl, Textarea } from '@mantine/core'
import { MAX_REASON, type Verdict } from '../../../../schemas/intelligence/observations/verdict.ts'

export type VerdictGiven = { verdict: Verdict; reason: string }

/** What a verdict says, and why: the fields of every form that gives one. */
export function VerdictInputs({ value, change }: { value: VerdictGiven; change: (value: VerdictGiven) => void }) {
  return (
    <>
      <SegmentedControl
        aria-label="Verdict"
        value={value.verdict}
        onChange={(to) => change({ ...value, verdict: to as Verdict })}
        data={[
          { value: 'benign', label: 'Benign' },
          { value: 'malicious', label: 'Malicious' },
        ]}
      />
      <Textarea
        label="Reason"
        required
        autosize
        maxLength={MAX_REASON}
        value={value.reason}
        // A reason is one line: a pasted one becomes that.
        onChange={(event) => change({ ...value, reason: event.currentTarget.value.replace(/[\p{Cc}]+/gu, ' ') })}
      />
    </>
  )
}
