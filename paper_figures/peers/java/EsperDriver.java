import com.espertech.esper.common.client.EPCompiled;
import com.espertech.esper.common.client.EventBean;
import com.espertech.esper.common.client.configuration.Configuration;
import com.espertech.esper.compiler.client.CompilerArguments;
import com.espertech.esper.compiler.client.EPCompilerProvider;
import com.espertech.esper.runtime.client.EPEventService;
import com.espertech.esper.runtime.client.EPRuntime;
import com.espertech.esper.runtime.client.EPRuntimeProvider;
import com.espertech.esper.runtime.client.EPStatement;

/** Runs a statement of EPL over stock ticks; its columns are ticks, or arrays of ticks. */
public final class EsperDriver {
    private EsperDriver() {
    }

    public static void main(String[] arguments) throws Exception {
        Report report = new Report(arguments);
        Tick[] ticks = report.read();
        Configuration configuration = new Configuration();
        configuration.getCommon().addEventType(Tick.class);
        configuration.getRuntime().getThreading().setInternalTimerEnabled(false);
        EPCompiled compiled =
                EPCompilerProvider.getCompiler().compile(report.query, new CompilerArguments(configuration));
        report.rounds(each -> pass(each, ticks, configuration, compiled));
        System.exit(0);
    }

    private static double pass(Report report, Tick[] ticks, Configuration configuration, EPCompiled compiled)
            throws Exception {
        EPRuntime runtime = EPRuntimeProvider.getRuntime("pass", configuration);
        runtime.initialize();
        EPEventService service = runtime.getEventService();
        service.advanceTime(ticks.length == 0 ? 0 : ticks[0].stock_time);
        EPStatement statement = runtime.getDeploymentService().deploy(compiled).getStatements()[0];
        String[] columns = statement.getEventType().getPropertyNames();
        int[][] positions = {new int[16]};
        statement.addListener((found, gone, source, where) -> {
            if (found != null) {
                for (EventBean match : found) {
                    note(report, match, columns, positions);
                }
            }
        });
        long begin = Report.clock();
        long time = Long.MIN_VALUE;
        for (int i = 0; i < ticks.length; i++) {
            if (ticks[i].stock_time != time) {
                time = ticks[i].stock_time;
                service.advanceTime(time);
            }
            service.sendEventBean(ticks[i], "Tick");
            report.events = i + 1;
        }
        double seconds = (Report.clock() - begin) / 1e9;
        runtime.destroy();
        return seconds;
    }

    private static void note(Report report, EventBean match, String[] columns, int[][] positions) {
        int length = 0;
        for (String column : columns) {
            Object value = match.get(column);
            if (value instanceof EventBean) {
                value = ((EventBean) value).getUnderlying();
            }
            if (value instanceof Tick) {
                length = add(positions, length, (Tick) value);
            } else if (value instanceof Object[]) {
                for (Object one : (Object[]) value) {
                    length = add(positions, length, (Tick) (one instanceof EventBean
                            ? ((EventBean) one).getUnderlying() : one));
                }
            }
        }
        report.found(positions[0], length);
    }

    private static int add(int[][] positions, int length, Tick tick) {
        if (length == positions[0].length) {
            positions[0] = java.util.Arrays.copyOf(positions[0], 2 * length);
        }
        positions[0][length] = tick.position;
        return length + 1;
    }
}
