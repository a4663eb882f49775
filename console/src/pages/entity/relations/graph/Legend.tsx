import { Group, Text } from '@mantine/core'
import { formatReputation, reputationLabel } from '../../../../parts/entity/scores.ts'
import { SCREEN } from '../picture/paint.ts'
import { MARKS, SCORES } from './marks.ts'
import { NodeMark } from './NodeMark.tsx'

const LINES = [
  { meaning: 'part of', dashed: false },
  { meaning: 'related to', dashed: true },
]

/** Forms, numbers and lines have a meaning each: nothing is said by its colour alone. */
export function Legend() {
  return (
    <Group component="ul" my="xs" p={0} style={{ gap: '4px 16px', listStyle: 'none' }} aria-label="Legend">
      {MARKS.map(({ mark, meaning }) => (
        <Entry key={mark} meaning={meaning}>
          <NodeMark mark={mark} size={7} stroke="var(--mantine-color-dimmed)" />
        </Entry>
      ))}
      {LINES.map(({ meaning, dashed }) => (
        <Entry key={meaning} meaning={meaning}>
          <path d="M-10 0H10" stroke={SCREEN.ink} strokeDasharray={dashed ? '5 4' : undefined} />
        </Entry>
      ))}
      {SCORES.map((score) => (
        <Entry key={score} meaning={reputationLabel(score)}>
          <circle r={9} fill="none" stroke={SCREEN.verdict(score)} strokeWidth={2} />
          <text textAnchor="middle" dominantBaseline="central" fontSize={9} fill={SCREEN.ink}>
            {formatReputation(score)}
          </text>
        </Entry>
      ))}
    </Group>
  )
}

function Entry({ meaning, children }: { meaning: string; children: React.ReactNode }) {
  return (
    <Group component="li" gap={6} wrap="nowrap">
      <svg width={22} height={22} viewBox="-11 -11 22 22" aria-hidden>
        {children}
      </svg>
      <Text size="xs">{meaning}</Text>
    </Group>
  )
}
