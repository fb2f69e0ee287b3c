import fsm.NSRAInterface;
import fsm.runtime.MatchList;
import fsm.runtime.MonoRunNSRA;
import fsm.symbolic.sra.Configuration;
import scala.Tuple2;
import scala.collection.immutable.List;
import scala.collection.immutable.List$;
import scala.collection.immutable.Map;
import stream.GenericEvent;
import workflow.provider.NSRAProvider;
import workflow.provider.source.nsra.NSRASourceFromSREM;

/** Runs the register automaton of an expression of Wayeb over stock ticks, as its optimized engine does. */
public final class WayebDriver {
    private WayebDriver() {
    }

    /** The events of a run, reported when it is a match: the engine then clears them, and only counts. */
    private static final class Marks extends MatchList {
        private final Report report;
        private final int[][] positions;

        Marks(Report report, int[][] positions, List<Object> events, long first, long last, boolean full) {
            super(events, first, last, full);
            this.report = report;
            this.positions = positions;
        }

        @Override
        public MatchList clone() {
            return new Marks(report, positions, getEvents(), getMinCounter(), getMaxCounter(), isFull());
        }

        @Override
        public void setFull(boolean full) {
            super.setFull(full);
            int length = 0;
            for (List<Object> rest = getEvents(); !rest.isEmpty(); rest = tail(rest)) {
                if (length == positions[0].length) {
                    positions[0] = java.util.Arrays.copyOf(positions[0], 2 * length);
                }
                positions[0][length++] = (Integer) rest.head();
            }
            report.found(positions[0], length);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Report report = new Report(arguments);
        GenericEvent[] events = events(report.read());
        List<NSRAInterface> automata = NSRAProvider.apply(NSRASourceFromSREM.apply(arguments[1])).provide();
        report.rounds(each -> pass(each, events, automata.head()));
        System.exit(0);
    }

    /** Events as Wayeb's own reader of stock streams makes them; their numbers are their positions. */
    private static GenericEvent[] events(Tick[] ticks) {
        GenericEvent[] events = new GenericEvent[ticks.length];
        for (int i = 0; i < ticks.length; i++) {
            Tick tick = ticks[i];
            Map<String, Object> attributes = new Map.Map4<>(
                    "name", tick.name, "volume", tick.volume, "price", tick.price, "id", tick.id);
            events[i] = new GenericEvent(tick.position, tick.type, tick.stock_time, attributes);
        }
        return events;
    }

    /** At each event all runs make a move, as in ERFOptEngine.processEventWithMonoRunNSRA. */
    private static double pass(Report report, GenericEvent[] events, NSRAInterface automaton) {
        MonoRunNSRA mover = MonoRunNSRA.apply(automaton, false, false);
        Marks none = new Marks(report, new int[][] {new int[16]}, List$.MODULE$.empty(), -1, -1, false);
        List<Tuple2<Configuration, MatchList>> runs = List$.MODULE$.empty();
        runs = runs.$colon$colon(new Tuple2<>(Configuration.apply(automaton.getStartId()), none));
        long begin = Report.clock();
        for (int i = 0; i < events.length; i++) {
            List<Tuple2<Configuration, MatchList>> moved = List$.MODULE$.empty();
            for (; !runs.isEmpty(); runs = tail(runs)) {
                Tuple2<Configuration, MatchList> run = runs.head();
                moved = mover.moveRunArrayPrealloc(events[i], run._1(), i + 1, run._2(), moved)._2();
            }
            runs = moved;
            report.events = i + 1;
        }
        return (Report.clock() - begin) / 1e9;
    }

    @SuppressWarnings("unchecked")
    private static <A> List<A> tail(List<A> list) {
        return (List<A>) list.tail();
    }
}
