import { onOnePlatform } from '../../builders/platform/shared.ts'
import { alerts } from './fired/alerts.ts'
import { deliveries } from './fired/deliveries.ts'
import { matches } from './fired/matches.ts'

onOnePlatform({ alerts, matches, deliveries }, () => ({
  HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true',
  HARRIER_URL: 'https://harrier.example.com',
}))
