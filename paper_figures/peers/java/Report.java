import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a driver tells the harness: lines of JSON on standard output, as reporting.py writes them. */
public final class Report {
    /** One pass over the stream. Fills in what it finds; returns the seconds that it took. */
    public interface Pass {
        double run(Report report) throws Exception;
    }

    /** A round but the first takes at least so many seconds: the clock tells hundredths of a second. */
    private static final double LEAST_SECONDS = 1;
    private static final long BASIS = 0xCBF29CE484222325L;
    private static final long PRIME = 0x100000001B3L;

    public final Path ticks;
    public final String query;
    private final int rounds;
    private final double budget;
    private final Path file;
    private final PrintStream output;
    private PrintWriter writer;
    private long digest;
    private volatile long matches;
    /** How many events were sent so far. */
    public volatile int events;

    public Report(String[] arguments) throws IOException {
        ticks = Paths.get(arguments[0]);
        query = Files.readString(Paths.get(arguments[1]));
        rounds = Integer.parseInt(arguments[2]);
        budget = Double.parseDouble(arguments[3]);
        file = arguments.length > 4 ? Paths.get(arguments[4]) : null;
        output = System.out;
        System.setOut(System.err);
    }

    /** The whole stream, in memory. */
    public Tick[] read() throws IOException {
        List<Tick> read = new ArrayList<>();
        Map<String, String> known = new HashMap<>();
        try (BufferedReader lines = Files.newBufferedReader(ticks)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] f = line.split(",");
                String type = known.computeIfAbsent(f[0], text -> text);
                String name = known.computeIfAbsent(f[2], text -> text);
                read.add(new Tick(type, Long.parseLong(f[1]), name, Long.parseLong(f[3]),
                        Double.parseDouble(f[4]), Long.parseLong(f[5]), read.size()));
            }
        }
        return read.toArray(new Tick[0]);
    }

    /** Take note of a match; sorts its positions. */
    public void found(int[] positions, int length) {
        Arrays.sort(positions, 0, length);
        long hash = BASIS;
        for (int i = 0; i < length; i++) {
            hash = (hash ^ (positions[i] + 1L)) * PRIME;
        }
        hash = (hash ^ (hash >>> 30)) * 0xBF58476D1CE4E5B9L;
        hash = (hash ^ (hash >>> 27)) * 0x94D049BB133111EBL;
        digest += hash ^ (hash >>> 31);
        matches++;
        if (writer != null) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < length; i++) {
                line.append(i == 0 ? "" : ",").append(positions[i]);
            }
            writer.println(line);
        }
    }

    /** Run rounds of passes and report each of them: the first one of one pass, as all that write matches. */
    public void rounds(Pass pass) throws Exception {
        tell("{\"what\": \"ready\"}");
        Thread watcher = new Thread(this::watch);
        watcher.setDaemon(true);
        watcher.start();
        double spent = 0;
        for (int number = 0; number < rounds && (number == 0 || spent < budget); number++) {
            double least = number == 0 || file != null ? 0 : LEAST_SECONDS;
            long begin = System.nanoTime();
            double seconds = once(pass);
            int passes = 1;
            for (; System.nanoTime() - begin < 1e9 * least; passes++) {
                seconds += once(pass);
            }
            spent += seconds;
            tell(String.format("{\"what\": \"round\", \"seconds\": %s, \"matches\": %d, \"digest\": \"%016x\", "
                    + "\"events\": %d}", seconds / passes, matches, digest, events));
        }
        tell("{\"what\": \"end\", \"peak\": " + peak() + "}");
    }

    private double once(Pass pass) throws Exception {
        digest = 0;
        matches = 0;
        events = 0;
        writer = file == null ? null : new PrintWriter(Files.newBufferedWriter(file));
        double seconds = pass.run(this);
        if (writer != null) {
            writer.close();
        }
        return seconds;
    }

    private void watch() {
        while (true) {
            try {
                Thread.sleep(1000);
            } catch (InterruptedException interrupted) {
                return;
            }
            tell("{\"what\": \"progress\", \"events\": " + events + ", \"matches\": " + matches + "}");
        }
    }

    private synchronized void tell(String line) {
        output.println(line);
        output.flush();
    }

    /** Processor time of all threads of this process in nanoseconds, of which it tells whole ticks of 10 ms. */
    public static long clock() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static String peak() {
        try {
            for (String line : Files.readAllLines(Paths.get("/proc/self/status"), StandardCharsets.ISO_8859_1)) {
                if (line.startsWith("VmHWM:")) {
                    return Long.toString(1024 * Long.parseLong(line.replaceAll("\\D", "")));
                }
            }
        } catch (IOException none) {
            return "null";
        }
        return "null";
    }
}
