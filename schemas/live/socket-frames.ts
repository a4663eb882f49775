import type { ChangeEvent } from './change-event.ts'

/** A text frame of the compatible socket (decisions 12.3). */
export type SocketFrame = {
  type: 'entity.created' | 'entity.malicious' | 'entity.linked'
  time: string
  entityId: string
  entityType: string
  value: string
  reputation: number
  tags: readonly string[]
  toEntityId?: string
  mode?: string
}

/**
 * The frames of an event, in order: that it is new, that its reputation turned negative, that it has another relation. A
 * view that is created negative is both of the first.
 */
export function socketFrames({ kinds, at, entity, link }: ChangeEvent): SocketFrame[] {
  const shown = {
    time: at,
    entityId: entity.id,
    entityType: entity.type,
    value: entity.value,
    reputation: entity.reputation,
    tags: entity.tags,
  }
  const frames: SocketFrame[] = []
  const isNew = kinds.includes('created')
  if (isNew) frames.push({ type: 'entity.created', ...shown })
  const turned = isNew || (kinds.includes('scored') && (entity.previousReputation ?? 0) >= 0)
  if (turned && entity.reputation < 0) frames.push({ type: 'entity.malicious', ...shown })
  if (link !== undefined) frames.push({ type: 'entity.linked', ...shown, toEntityId: link.relatedId, mode: link.mode })
  return frames
}
