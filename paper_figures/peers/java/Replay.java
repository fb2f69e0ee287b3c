import org.apache.flink.streaming.api.functions.source.legacy.SourceFunction;
import org.apache.flink.streaming.api.watermark.Watermark;

/** Sends the stream through a job of Flink in the same process, and takes the time until all of it was processed. */
public final class Replay implements SourceFunction<Tick> {
    private static final int BETWEEN_WATERMARKS = 1000;

    /** The stream and where to report to; static, since functions are serialised. */
    public static volatile Tick[] ticks;
    public static volatile Report report;
    public static volatile long began;
    public static volatile long ended;

    @Override
    public void run(SourceContext<Tick> context) {
        began = Report.clock();
        int sent = 0;
        for (int i = 0; i < ticks.length; i++) {
            if (sent >= BETWEEN_WATERMARKS && ticks[i].stock_time > ticks[i - 1].stock_time) {
                context.emitWatermark(new Watermark(ticks[i - 1].stock_time));
                sent = 0;
            }
            context.collectWithTimestamp(ticks[i], ticks[i].stock_time);
            report.events = i;
            sent++;
        }
        context.emitWatermark(Watermark.MAX_WATERMARK);
        report.events = ticks.length;
        ended = Report.clock();
    }

    @Override
    public void cancel() {
    }
}
