import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A stock tick; its fields are named as in the schema. */
public class Tick {
    private static final Pattern TYPING = Pattern.compile("(?:^|\\n)(?:-- )?TYPE([^\\n]*)\\Z");
    private static final String ANY = "tick";

    public String type;
    public long id;
    public String name;
    public long volume;
    public double price;
    public long stock_time;
    public int position;

    public Tick() {
    }

    public Tick(String type, long id, String name, long volume, double price, long stockTime, int position) {
        this.type = type;
        this.id = id;
        this.name = name;
        this.volume = volume;
        this.price = price;
        this.stock_time = stockTime;
        this.position = position;
    }

    /** The attributes that make the type of an event, which the last line of a query names. */
    public static String[] typing(String query) {
        Matcher last = TYPING.matcher(query);
        if (!last.find()) {
            throw new IllegalArgumentException("the query does not say which attributes make the type of an event");
        }
        String names = last.group(1).strip();
        return names.isEmpty() ? new String[0] : names.split(" ");
    }

    /** The type of an event as these attributes make it. */
    public String kind(String[] typing) {
        String[] parts = new String[typing.length];
        for (int i = 0; i < typing.length; i++) {
            parts[i] = typing[i].equals("type") ? type : name;
        }
        return parts.length == 0 ? ANY : String.join("_", parts);
    }

    public String getType() {
        return type;
    }

    public long getId() {
        return id;
    }

    public String getName() {
        return name;
    }

    public long getVolume() {
        return volume;
    }

    public double getPrice() {
        return price;
    }

    public long getStock_time() {
        return stock_time;
    }

    public int getPosition() {
        return position;
    }
}
