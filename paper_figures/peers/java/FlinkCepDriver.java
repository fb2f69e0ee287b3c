import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.cep.CEP;
import org.apache.flink.cep.functions.PatternProcessFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;

/** Runs Query.pattern() over stock ticks. Source and pattern are one chain: no event is serialised. */
public final class FlinkCepDriver {
    private FlinkCepDriver() {
    }

    public static void main(String[] arguments) throws Exception {
        Report report = new Report(arguments);
        Replay.ticks = report.read();
        Replay.report = report;
        report.rounds(each -> pass());
        System.exit(0);
    }

    private static double pass() throws Exception {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(1);
        environment.getConfig().enableObjectReuse();
        DataStream<Tick> stream = environment.addSource(new Replay(), "ticks",
                org.apache.flink.api.common.typeinfo.TypeInformation.of(Tick.class));
        CEP.pattern(DataStreamUtils.reinterpretAsKeyedStream(stream, tick -> (byte) 0,
                org.apache.flink.api.common.typeinfo.Types.BYTE), Query.pattern())
                .process(new Noted());
        environment.execute();
        return (Replay.ended - Replay.began) / 1e9;
    }

    /** Takes note of matches. */
    public static final class Noted extends PatternProcessFunction<Tick, Integer> {
        private transient int[] positions;

        @Override
        public void processMatch(Map<String, List<Tick>> match, Context context, Collector<Integer> out) {
            if (positions == null) {
                positions = new int[16];
            }
            int length = 0;
            for (List<Tick> part : match.values()) {
                for (Tick tick : part) {
                    if (length == positions.length) {
                        positions = Arrays.copyOf(positions, 2 * length);
                    }
                    positions[length++] = tick.position;
                }
            }
            Replay.report.found(positions, length);
        }
    }
}
