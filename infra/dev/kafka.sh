#!/usr/bin/env bash
# One Apache Kafka broker (KRaft, no Docker), from Maven Central. Needs Java 17 and Maven.
#
#   infra/dev/kafka.sh start [port] [data dir]    prints the brokers when they answer
#   infra/dev/kafka.sh stop  [port] [data dir]
#   infra/dev/kafka.sh jars                       prints the folder of the jars, fetched where they are missing
#
# The port after next takes the same clients with a name: SCRAM-SHA-512, user harrier, password harrier-dev. A data folder
# that was made before that has no such user.
#
# KAFKA_VERSION chooses the release (default 4.1.1; 3.9.1 works too). Jars are kept under .cache/ of the repository.
set -euo pipefail
# A broker of tests ends before the second compiler pays: it takes a third less of the processors. A fifth of a start is
# the verification of classes, which come from Maven Central by checksum.
short_lived=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote)

here=$(cd "$(dirname "$0")" && pwd)
cache=$(cd "$here/../.." && pwd)/.cache
version=${KAFKA_VERSION:-4.1.1}
command=${1:-}
port=${2:-9092}
data=${3:-$cache/kafka-data-$version-$port}
jars=$cache/kafka-$version

install() {
  [ -e "$jars/.complete" ] && return
  mvn -q -B -f "$here/kafka.pom.xml" -Dkafka.version="$version" -P"kafka-${version%%.*}" \
    dependency:copy-dependencies -DoutputDirectory="$jars" -DincludeScope=runtime >&2
  touch "$jars/.complete"
}

configure() {
  mkdir -p "$data"
  # acks=all on one broker does not reach the disk by itself: without the flush a machine that dies loses records.
  cat > "$data/server.properties" <<PROPERTIES
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$((port + 1))
listeners=PLAINTEXT://127.0.0.1:$port,CONTROLLER://127.0.0.1:$((port + 1)),SASL://127.0.0.1:$((port + 2))
advertised.listeners=PLAINTEXT://127.0.0.1:$port,SASL://127.0.0.1:$((port + 2))
sasl.enabled.mechanisms=SCRAM-SHA-512
listener.name.sasl.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL:SASL_PLAINTEXT
log.dirs=$data/logs
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
log.flush.interval.messages=1
log.cleaner.dedupe.buffer.size=16777216
PROPERTIES
  if [ "${version%%.*}" != 3 ]; then
    printf 'share.coordinator.state.topic.replication.factor=1\nshare.coordinator.state.topic.min.isr=1\n' >> "$data/server.properties"
    cat > "$data/log.properties" <<PROPERTIES
status=error
appender.0.type=Console
appender.0.name=out
appender.0.layout.type=PatternLayout
appender.0.layout.pattern=%d %p %c: %m%n
rootLogger.level=warn
rootLogger.appenderRef.0.ref=out
PROPERTIES
    logging=-Dlog4j2.configurationFile=$data/log.properties
  else
    cat > "$data/log.properties" <<PROPERTIES
log4j.rootLogger=WARN, out
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=%d %p %c: %m%n
PROPERTIES
    logging=-Dlog4j.configuration=file:$data/log.properties
  fi
}

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

start() {
  install
  configure
  if answers; then echo "port $port is taken" >&2; exit 1; fi
  if [ ! -e "$data/logs/meta.properties" ]; then
    # 16 bytes as Kafka writes them. The tool of Kafka that draws some takes a JVM; one that begins with - would be an option.
    id=$(head -c 16 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=' | sed 's/^-/A/')
    java "${short_lived[@]}" "$logging" -cp "$jars/*" kafka.tools.StorageTool format -t "$id" -c "$data/server.properties" \
      --add-scram 'SCRAM-SHA-512=[name=harrier,password=harrier-dev]' >&2
  fi
  nohup java "${short_lived[@]}" -Xms128m -Xmx384m "$logging" -cp "$jars/*" kafka.Kafka "$data/server.properties" > "$data/broker.log" 2>&1 &
  echo $! > "$data/pid"
  for _ in $(seq 240); do
    if ! kill -0 "$(cat "$data/pid")" 2>/dev/null; then tail -20 "$data/broker.log" >&2; exit 1; fi
    if answers; then echo "127.0.0.1:$port"; return; fi
    sleep 0.25
  done
  echo "the broker does not answer on port $port; see $data/broker.log" >&2
  exit 1
}

stop() {
  [ -e "$data/pid" ] || return 0
  pid=$(cat "$data/pid")
  kill "$pid" 2>/dev/null || true
  for _ in $(seq 120); do kill -0 "$pid" 2>/dev/null || break; sleep 0.25; done
  rm -f "$data/pid"
}

case $command in
  start | stop) "$command" ;;
  jars) install; echo "$jars" ;;
  *) sed -n '2,12p' "$0" >&2; exit 2 ;;
esac
