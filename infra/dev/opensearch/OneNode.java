import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/** One OpenSearch node on a loopback port, as its distribution starts it but without plugins: OneNode [home] [port]. */
public final class OneNode extends Node {
  private OneNode(Settings settings) {
    super(
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "one"),
        List.of(Netty4Plugin.class),
        true);
  }

  public static void main(String[] args) throws Exception {
    Node node =
        new OneNode(
            Settings.builder()
                .put("path.home", args[0])
                .put("path.data", args[0] + "/data")
                .put("cluster.name", "harrier-bench")
                .put("node.name", "one")
                .put("discovery.type", "single-node")
                .put("network.host", "127.0.0.1")
                .put("http.port", args[1])
                .put("transport.port", "0")
                .build());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
    node.start();
    Thread.currentThread().join();
  }

  private static void close(Node node) {
    try {
      node.close();
    } catch (Exception e) {
      System.err.println(e);
    }
  }
}
