import edu.umass.cs.sase.engine.ConfigFlags;
import edu.umass.cs.sase.engine.Engine;
import edu.umass.cs.sase.engine.Match;
import edu.umass.cs.sase.query.NFA;
import edu.umass.cs.sase.stream.Event;
import edu.umass.cs.sase.stream.Stream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Runs a query of SASE over stock ticks.
 *
 * <p>Attributes of SASE are whole numbers: texts are numbered, here and where the query has them in quotes, and prices
 * are counted in ten-thousandths. The last line of the query says which attributes make the type of an event.
 */
public final class SaseDriver {
    private static final Pattern QUOTED = Pattern.compile("'((?:[^']|'')*)'");
    private static final double UNITS = 10_000;

    private SaseDriver() {
    }

    public static void main(String[] arguments) throws Exception {
        Report report = new Report(arguments);
        Map<String, Integer> numbers = new HashMap<>();
        Event[] events = events(report.read(), Tick.typing(report.query), numbers);
        Path query = Path.of(arguments[1] + ".numbered");
        Files.writeString(query, numbered(report.query, numbers));
        ConfigFlags.printResults = false;
        report.rounds(each -> pass(each, events, query.toString()));
        System.exit(0);
    }

    /** Queries hold what was computed last, and a new engine sets all that SASE keeps globally: both are made anew. */
    private static double pass(Report report, Event[] events, String query) throws Exception {
        Engine engine = new Reporting(report);
        engine.initialize();
        engine.setNfa(new NFA(query));
        engine.setInput(new Counted(events, report));
        long begin = Report.clock();
        engine.runEngine();
        return (Report.clock() - begin) / 1e9;
    }

    private static String numbered(String query, Map<String, Integer> numbers) {
        return QUOTED.matcher(query)
                .replaceAll(text -> Integer.toString(number(numbers, text.group(1).replace("''", "'"))));
    }

    private static int number(Map<String, Integer> numbers, String text) {
        return numbers.computeIfAbsent(text, unknown -> numbers.size());
    }

    private static Event[] events(Tick[] ticks, String[] typing, Map<String, Integer> numbers) {
        Map<String, String> types = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Event[] events = new Event[ticks.length];
        for (int i = 0; i < ticks.length; i++) {
            String type = ticks[i].kind(typing);
            String known = types.computeIfAbsent(type, unknown -> unknown);
            if (!known.equals(type)) {
                throw new IllegalArgumentException("SASE does not tell the types " + known + " and " + type + " apart");
            }
            events[i] = new TickEvent(ticks[i], known, number(numbers, ticks[i].type), number(numbers, ticks[i].name));
        }
        return events;
    }

    /** An engine that says what it finds. */
    private static final class Reporting extends Engine {
        private final Report report;
        private int[] positions = new int[16];

        Reporting(Report report) {
            this.report = report;
        }

        @Override
        public void outputMatch(Match match) {
            super.outputMatch(match);
            Event[] events = match.getEvents();
            if (events.length > positions.length) {
                positions = Arrays.copyOf(positions, 2 * events.length);
            }
            for (int i = 0; i < events.length; i++) {
                positions[i] = events[i].getId();
            }
            report.found(positions, events.length);
        }
    }

    /** A stream that says how far it was read. */
    private static final class Counted extends Stream {
        private final Report report;

        Counted(Event[] events, Report report) {
            super(events.length);
            setEvents(events);
            this.report = report;
        }

        @Override
        public Event popEvent() {
            Event next = super.popEvent();
            report.events = getCounter();
            return next;
        }
    }

    /** A tick by whole numbers; its identifier is its position in the stream. */
    private static final class TickEvent implements Event {
        private final String kind;
        private final int position;
        private final int type;
        private final int id;
        private final int name;
        private final int volume;
        private final int price;
        private final int time;

        TickEvent(Tick tick, String kind, int type, int name) {
            this.kind = kind;
            this.position = tick.position;
            this.type = type;
            this.id = Math.toIntExact(tick.id);
            this.name = name;
            this.volume = Math.toIntExact(tick.volume);
            this.price = Math.toIntExact(Math.round(UNITS * tick.price));
            this.time = Math.toIntExact(tick.stock_time);
            if (price / UNITS != tick.price) {
                throw new IllegalArgumentException("more than four decimals: " + tick.price);
            }
        }

        @Override
        public int getAttributeByName(String attribute) {
            switch (attribute) {
                case "TYPE":
                    return type;
                case "ID":
                    return id;
                case "NAME":
                    return name;
                case "VOLUME":
                    return volume;
                case "PRICE":
                    return price;
                case "STOCK_TIME":
                    return time;
                default:
                    throw new IllegalArgumentException("ticks have no attribute " + attribute);
            }
        }

        @Override
        public double getAttributeByNameDouble(String attribute) {
            return getAttributeByName(attribute);
        }

        @Override
        public String getAttributeByNameString(String attribute) {
            return Integer.toString(getAttributeByName(attribute));
        }

        @Override
        public int getAttributeValueType(String attribute) {
            return 0;
        }

        @Override
        public int getId() {
            return position;
        }

        @Override
        public void setId(int id) {
            throw new UnsupportedOperationException("ticks do not change");
        }

        @Override
        public int getTimestamp() {
            return time;
        }

        @Override
        public String getEventType() {
            return kind;
        }

        @Override
        public Object clone() {
            return this;
        }
    }
}
