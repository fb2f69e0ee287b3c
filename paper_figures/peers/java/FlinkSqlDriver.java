import java.time.Instant;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.legacy.SinkFunction;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

/** Runs a query of Flink SQL over the table "ticks"; its columns are positions. */
public final class FlinkSqlDriver {
    private FlinkSqlDriver() {
    }

    public static void main(String[] arguments) throws Exception {
        Report report = new Report(arguments);
        Replay.ticks = report.read();
        Replay.report = report;
        report.rounds(each -> pass(report.query));
        System.exit(0);
    }

    private static double pass(String query) throws Exception {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(1);
        environment.getConfig().enableObjectReuse();
        StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
        DataStream<Row> rows = environment
                .addSource(new Replay(), "ticks",
                        org.apache.flink.api.common.typeinfo.TypeInformation.of(Tick.class))
                .map(tick -> Row.of(tick.type, tick.id, tick.name, tick.volume, tick.price, tick.stock_time,
                        tick.position, Instant.ofEpochMilli(tick.stock_time)))
                .returns(Types.ROW_NAMED(
                        new String[] {"type", "id", "name", "volume", "price", "stock_time", "position",
                            "event_time"},
                        Types.STRING, Types.LONG, Types.STRING, Types.LONG, Types.DOUBLE, Types.LONG, Types.INT,
                        Types.INSTANT));
        tables.createTemporaryView("ticks", tables.fromDataStream(rows, Schema.newBuilder()
                .column("type", DataTypes.STRING())
                .column("id", DataTypes.BIGINT())
                .column("name", DataTypes.STRING())
                .column("volume", DataTypes.BIGINT())
                .column("price", DataTypes.DOUBLE())
                .column("stock_time", DataTypes.BIGINT())
                .column("position", DataTypes.INT())
                .column("event_time", DataTypes.TIMESTAMP_LTZ(3))
                .watermark("event_time", "SOURCE_WATERMARK()")
                .build()));
        tables.toDataStream(tables.sqlQuery(query)).addSink(new Noted());
        environment.execute();
        return (Replay.ended - Replay.began) / 1e9;
    }

    /** Takes note of matches. */
    public static final class Noted implements SinkFunction<Row> {
        @Override
        public void invoke(Row row, Context context) {
            int[] positions = new int[row.getArity()];
            for (int i = 0; i < positions.length; i++) {
                positions[i] = ((Number) row.getField(i)).intValue();
            }
            Replay.report.found(positions, positions.length);
        }

        @Override
        public void finish() {
            Replay.ended = Report.clock();
        }
    }
}
