import edu.puc.core.execution.BaseExecutor;
import edu.puc.core.execution.structures.output.CDSComplexEventGrouping;
import edu.puc.core.execution.structures.output.ComplexEvent;
import edu.puc.core.parser.CompoundStatementParser;
import edu.puc.core.parser.DeclarationParser;
import edu.puc.core.parser.QueryParser;
import edu.puc.core.parser.plan.LogicalPlan;
import edu.puc.core.runtime.events.Event;
import java.util.Arrays;

/**
 * Runs a query of CORE over stock ticks.
 *
 * <p>The last line of the query says which attributes make the type of an event; the declarations before it say which
 * types there are. Ticks of no declared type are of the type of all others. Windows of CORE are of whole seconds: a
 * second of CORE is a millisecond of the stream.
 */
public final class CoreDriver {
    private static final String STREAM = "S";
    private static final String OTHERS = "_OTHERS";
    private static final long SECOND = 1000;
    private static final long LARGEST = 1L << 53;

    private CoreDriver() {
    }

    public static void main(String[] arguments) throws Exception {
        Report report = new Report(arguments);
        LogicalPlan plan = new CompoundStatementParser(new DeclarationParser(), new QueryParser())
                .parse(report.query).get(0);
        Event[] events = events(report.read(), Tick.typing(report.query));
        report.rounds(each -> pass(each, events, plan));
        System.exit(0);
    }

    /** Events number themselves from the first one on; CORE makes float64 of all numbers. */
    private static Event[] events(Tick[] ticks, String[] typing) throws Exception {
        Event[] events = new Event[ticks.length];
        for (int i = 0; i < ticks.length; i++) {
            Tick tick = ticks[i];
            long time = Math.multiplyExact(SECOND, tick.stock_time);
            if (Math.max(Math.max(Math.abs(tick.id), Math.abs(tick.volume)), Math.abs(tick.stock_time)) > LARGEST) {
                throw new IllegalArgumentException("a whole number of more than 53 bits at tick " + i);
            }
            String kind = tick.kind(typing);
            boolean declared = edu.puc.core.parser.plan.Event.getSchemaFor(kind) != null;
            events[i] = Event.EventWithTimestamp(STREAM, declared ? kind : OTHERS, time,
                    tick.type, tick.id, tick.name, tick.volume, tick.price, tick.stock_time);
        }
        return events;
    }

    /** An executor keeps the state of a run, and is made anew. */
    private static double pass(Report report, Event[] events, LogicalPlan plan) {
        BaseExecutor executor = BaseExecutor.fromPlan(plan);
        Marks marks = new Marks(report, events.length == 0 ? 0 : events[0].getIndex());
        executor.setMatchCallback(marks::all);
        long begin = Report.clock();
        for (int i = 0; i < events.length; i++) {
            executor.sendEvent(events[i]);
            report.events = i + 1;
        }
        return (Report.clock() - begin) / 1e9;
    }

    /** Says what is found with an event. */
    private static final class Marks {
        private final Report report;
        private final long first;
        private int[] positions = new int[16];

        Marks(Report report, long first) {
            this.report = report;
            this.first = first;
        }

        void all(CDSComplexEventGrouping matches) {
            for (ComplexEvent match : matches) {
                if (match != null) { // nothing is left, which its iterator notices only when it is asked
                    one(match);
                }
            }
        }

        private void one(ComplexEvent match) {
            int length = 0;
            for (Event event : match) {
                if (length == positions.length) {
                    positions = Arrays.copyOf(positions, 2 * length);
                }
                positions[length++] = (int) (event.getIndex() - first);
            }
            report.found(positions, length);
        }
    }
}
