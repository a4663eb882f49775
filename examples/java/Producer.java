import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Future;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Reports what a honeypot saw to Harrier, over Kafka. Needs org.apache.kafka:kafka-clients and org.apache.avro:avro.
 *
 * <pre>
 *   harrier feed register honeypots --trust 0.8
 *   export KAFKA_BROKERS=127.0.0.1:9092 SCHEMA_REGISTRY_URL=http://127.0.0.1:8081/apis/ccompat/v7
 *   java -cp 'jars/*' examples/java/Producer.java
 * </pre>
 */
public final class Producer {
  private static final String SUBJECT = "entity.submissions-value";

  public static void main(String[] args) throws Exception {
    String registry = System.getenv("SCHEMA_REGISTRY_URL").replaceAll("/+$", "");
    String feed = System.getenv().getOrDefault("FEED", "honeypots");
    String topic = System.getenv().getOrDefault("TOPIC", "entity.submissions");
    // Harrier registers the schema when it starts.
    String latest = registry + "/subjects/" + SUBJECT + "/versions/latest";
    JsonNode version = new ObjectMapper().readTree(get(latest));
    Schema schema = new Schema.Parser().parse(version.get("schema").asText());
    int schemaId = version.get("id").asInt();

    Properties settings = new Properties();
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, System.getenv("KAFKA_BROKERS"));
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    // Idempotent, with acks=all: the default of this client.
    try (KafkaProducer<String, byte[]> producer = new KafkaProducer<>(settings)) {
      GenericRecord seen = submission(schema, feed);
      // One key for what has to stay in order: the main value of the entity is a good one.
      Future<RecordMetadata> sent =
          producer.send(new ProducerRecord<>(topic, "203.0.113.45", framed(schemaId, seen)));
      sent.get();
    }
    System.out.println("written");
  }

  private static GenericRecord submission(Schema schema, String feed) {
    Schema association = schema.getField("associations").schema().getElementType();
    GenericRecord domain =
        new GenericRecordBuilder(association)
            .set("mode", new GenericData.EnumSymbol(association.getField("mode").schema(), "association"))
            .set("type", "domain")
            .set("attributes", Map.of("domain", "scanner.example.org"))
            .build();
    // Fields that are not set take their defaults.
    return new GenericRecordBuilder(schema)
        .set("feed", feed)
        .set("observedAt", System.currentTimeMillis())
        .set("type", "ip")
        .set("attributes", Map.of("ip", "203.0.113.45", "text", "tried 900 passwords over SSH"))
        .set("reputation", -2)
        .set("tags", List.of("brute-force", "ssh"))
        .set("associations", List.of(domain))
        .build();
  }

  /** Confluent's wire format: a zero, the id of the schema in four bytes, the record in Avro. */
  private static byte[] framed(int schemaId, GenericRecord record) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream head = new DataOutputStream(bytes);
    head.writeByte(0);
    head.writeInt(schemaId);
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  private static String get(String url) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    if (response.statusCode() != 200) throw new IOException(url + " answers " + response.statusCode());
    return response.body();
  }
}
