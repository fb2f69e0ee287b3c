/** A stock tick; its fields are named as in the schema. */
public class Tick {
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
