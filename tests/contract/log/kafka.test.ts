import { kafkaLog } from '../../../connectors/log/kafka/log.ts'
import { longer } from '../../builders/platform/longer.ts'
import { promised } from '../../builders/suite/promised.ts'
import { answersContract } from './promises/answers.ts'
import { crashContract } from './promises/crashes.ts'
import { groupsContract } from './promises/groups.ts'
import { kafkaMembersContract } from './promises/kafka-members.ts'
import { ageingKafka, kafkaTailsContract } from './promises/kafka-tails.ts'
import { leaderContract } from './promises/leader.ts'
import { partitionsContract } from './promises/partitions.ts'
import { recordsContract } from './promises/records.ts'
import { tailsContract } from './promises/tails.ts'

promised(['KAFKA_BROKERS'], ({ KAFKA_BROKERS }) => {
  const open = () => kafkaLog({ brokers: KAFKA_BROKERS.split(','), sessionMs: 3_000, heartbeatMs: 300 })
  recordsContract('kafka', open)
  groupsContract('kafka', open)
  leaderContract('kafka', open)
  crashContract('kafka', `kafka:${KAFKA_BROKERS}`)
  answersContract(KAFKA_BROKERS.split(',')[0]!)
  partitionsContract(KAFKA_BROKERS.split(',')[0]!)
  tailsContract('kafka', { open, ageing: () => ageingKafka(KAFKA_BROKERS.split(',')[0]!), runs: longer(4) })
  kafkaTailsContract(KAFKA_BROKERS.split(',')[0]!)
  kafkaMembersContract(KAFKA_BROKERS.split(',')[0]!)
})
